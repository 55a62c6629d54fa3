import { users } from '@roadshow/contract/catalog/users'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'

interface RestoreProps {
  userUid: string
  name: string
  /** Before the restored user is shown. */
  onRestored: () => void
  children: string
}

/** Brings a deleted user back with one click, and shows them. */
export function RestoreUser({ userUid, name, onRestored, children }: RestoreProps) {
  const restore = useSave(users.restore)
  const navigate = useNavigate()
  const notice = useNotice()
  const bringBack = async () => {
    try {
      await restore.mutateAsync({ params: { uid: userUid } })
      onRestored()
      notice(`${name} is restored.`)
      await navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, open: userUid }), resetScroll: false })
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <Stack gap={2} align="start">
      {children}
      <Button loading={restore.isPending} onClick={() => void bringBack()}>
        Restore {name}
      </Button>
    </Stack>
  )
}
