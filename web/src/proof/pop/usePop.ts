import { pops } from '@roadshow/contract/proof/pop'
import { useCall } from '../../api/useCall.ts'

export const usePop = (uid: string) => useCall(pops.get, { params: { uid } })

/** The next version, if it were published now. */
export const usePreview = (uid: string, enabled = true) => useCall(pops.preview, { params: { uid } }, { enabled })

export const useVersions = (uid: string) => useCall(pops.versions, { params: { uid } })

/** The path of the public page. */
export const publicPath = ({ popUrl }: { popUrl: string }) => `/programs/${encodeURIComponent(popUrl)}`
