import type { setup } from '@roadshow/contract/console/setup'
import { endpointWithoutSchemas } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'

// The first screen does without the schema of this call. A test compares it with the contract.
export const setupCall = endpointWithoutSchemas<typeof setup.standing>({
  method: 'GET',
  path: 'setup/standing',
  access: { module: 'users', needs: 'edit' },
  keys: false,
  follows: ['pops', 'setup'],
})

/** What is left to set up, for those who do; undefined for everyone else and until it is known. */
export const useSetupStanding = () => useCall(setupCall, {}, { enabled: useMay(setupCall) }).data
