import { auth } from '@roadshow/contract/accounts/sign-in'
import type { UserWithPermissions } from '@roadshow/contract/accounts/sign-in'
import { setClockStyle } from '@roadshow/contract/platform/dates'
import type { ClockStyle } from '@roadshow/contract/platform/dates'
import { rowAccessFor } from '@roadshow/contract/platform/endpoint'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { isOutsider } from '@roadshow/contract/platform/permissions'
import type { UserPermissions } from '@roadshow/contract/platform/permissions'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import { keyOf } from './queryClient.ts'

/** The signed-in user, fetched once and again when the server says that the user's access changed. */
export const currentUser = queryOptions({
  queryKey: keyOf(auth.me),
  queryFn: async () => {
    const user = (await call(auth.me, {})).data
    setClockStyle(clockOf(user))
    return user
  },
  staleTime: Infinity,
  retry: false,
  networkMode: 'always',
  // The guard of the routes reports it under its own name.
  meta: { isReportedByCaller: true },
})

/** The clock that a user reads: their own, or the company's. */
export const clockOf = ({
  preferences: { clock, companyClock },
}: Pick<UserWithPermissions, 'preferences'>): ClockStyle => clock ?? companyClock

export const permissionsOf = (user: UserWithPermissions): UserPermissions => ({
  role: user.role,
  modules: user.roleAccess.map((entry) => entry.moduleKey),
})

export const useUser = (): UserWithPermissions => useSuspenseQuery(currentUser).data

/** Whether a user may make a call. The server decides again; this only spares the user a refusal. */
export const canCall = (user: UserPermissions, endpoint: Pick<Endpoint, 'access'>): boolean =>
  rowAccessFor(user, endpoint.access) !== undefined

/** Whether the user is outside the business and never sees drivers or internal notes. */
export const useIsOutsider = (): boolean => isOutsider(useUser())

export function useMay(endpoint: Pick<Endpoint, 'access'> | undefined): boolean {
  const holder = permissionsOf(useUser())
  return endpoint !== undefined && canCall(holder, endpoint)
}
