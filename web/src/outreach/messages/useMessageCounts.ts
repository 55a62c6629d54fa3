import { messages } from '@roadshow/contract/outreach/messages'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useMay } from '../../api/user.ts'

const EVERY_MS = 60_000

/** How many messages wait, are late or could not be delivered; undefined for users who may not see them. */
export function useMessageCounts() {
  const may = useMay(messages.counts)
  const { data } = useQuery({
    queryKey: keyOf(messages.counts),
    queryFn: async ({ signal }) => (await call(messages.counts, {}, { signal })).data,
    enabled: may,
    refetchInterval: EVERY_MS,
  })
  return data
}
