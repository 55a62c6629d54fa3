import { pops } from '@roadshow/contract/proof/pop'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'

export const usePop = (uid: string) =>
  useQuery({
    queryKey: keyOf(pops.get, { uid }),
    queryFn: async ({ signal }) => (await call(pops.get, { params: { uid } }, { signal })).data,
  })

/** The next version, if it were published now. */
export const usePreview = (uid: string, enabled = true) =>
  useQuery({
    enabled,
    queryKey: keyOf(pops.preview, { uid }),
    queryFn: async ({ signal }) => (await call(pops.preview, { params: { uid } }, { signal })).data,
  })

// A PDF is made in the background and takes a while.
const PDF_PAUSE_MS = 3_000

export const useVersions = (uid: string) =>
  useQuery({
    queryKey: keyOf(pops.versions, { uid }),
    queryFn: async ({ signal }) => (await call(pops.versions, { params: { uid } }, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ pdf }) => pdf === 'waiting') ? PDF_PAUSE_MS : false),
  })

/** The path of the public page. */
export const publicPath = ({ popUrl }: { popUrl: string }) => `/programs/${encodeURIComponent(popUrl)}`
