import { useLinkProps } from '@tanstack/react-router'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { UrlSearch } from './useListState.ts'

interface LinkButtonProps {
  to: string
  search?: UrlSearch
  isMain?: boolean
  children: ReactNode
}

/** A link to another place of the console that looks like the buttons beside it. */
export function LinkButton({ to, search = {}, isMain = false, children }: LinkButtonProps) {
  const { href, onClick } = useLinkProps({ to, search })
  return (
    <Button type={isMain ? 'primary' : 'default'} href={href ?? to} onClick={onClick}>
      {children}
    </Button>
  )
}
