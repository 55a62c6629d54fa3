import { fleet } from '@roadshow/contract/live/fleet'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'

/** The figures of today, shared by all parts of the page. */
export const useFigures = () =>
  useQuery({
    queryKey: keyOf(fleet.figures),
    queryFn: async ({ signal }) => (await call(fleet.figures, {}, { signal })).data,
  })
