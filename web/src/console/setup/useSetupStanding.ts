import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { setupCall } from '../overview/firstScreenCalls.ts'

/** What is left to set up, for those who do; undefined for everyone else and until it is known. */
export const useSetupStanding = () => useCall(setupCall, {}, { enabled: useMay(setupCall) }).data
