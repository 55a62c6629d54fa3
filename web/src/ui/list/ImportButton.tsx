import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import type { ImportKind } from '../EmptyState.tsx'

/** Opens the import of records of a kind. */
export function ImportButton({ kind }: { kind: ImportKind }) {
  const navigate = useNavigate()
  return <Button onClick={() => void navigate({ to: '/import', search: { kind } })}>Import</Button>
}
