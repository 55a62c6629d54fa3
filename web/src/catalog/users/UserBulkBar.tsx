import type { User } from '@roadshow/contract/catalog/users'
import { countOf } from '@roadshow/contract/platform/figures'
import { BulkBar } from '../../ui/list/BulkBar.tsx'
import { SendInvitations } from './SendInvitations.tsx'

interface UserBulkBarProps {
  chosen: readonly User[]
  onNone: () => void
}

/** What can be done with the selected users. */
export function UserBulkBar({ chosen, onNone }: UserBulkBarProps) {
  const invited = chosen.flatMap(({ isInvited, userUid }) => (isInvited ? userUid : []))
  return (
    <BulkBar label="Selected users" count={countOf(chosen.length, 'user')} onNone={onNone}>
      <SendInvitations size="small" userUids={invited} others={chosen.length - invited.length} onSent={onNone} />
    </BulkBar>
  )
}
