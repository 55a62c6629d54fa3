import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'

/** Opens the import of records of a kind. */
export function ImportButton({ kind }: { kind: string }) {
  const navigate = useNavigate()
  return <Button onClick={() => void navigate({ to: '/import', search: { kind } })}>Import</Button>
}
