import { screens } from '@roadshow/contract/live/screens'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { onScreensChanged } from '../../api/socket.ts'

// Health reports come now and then; answers to commands are announced.
const REFETCH_MS = 10_000

/** The players of a truck with their health and commands, as they change. */
export function useScreens(truckUid: string, isOn = true) {
  const found = useQuery({
    queryKey: keyOf(screens.list, { uid: truckUid }),
    queryFn: async ({ signal }) => (await call(screens.list, { params: { uid: truckUid } }, { signal })).data,
    refetchInterval: REFETCH_MS,
    enabled: isOn,
  })
  const refresh = useEffectEvent((changed: string | undefined) => {
    if (isOn && (changed === undefined || changed === truckUid)) void found.refetch()
  })
  useEffect(() => onScreensChanged((changed) => refresh(changed)), [])
  return found
}
