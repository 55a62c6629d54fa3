import { messages } from '@roadshow/contract/outreach/messages'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'

/** How many messages wait, are late or could not be delivered; undefined for users who may not see them. */
export function useMessageCounts() {
  const may = useMay(messages.counts)
  const { data } = useCall(messages.counts, {}, { enabled: may })
  return data
}
