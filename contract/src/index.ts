export * from './auth.ts'
export * from './common.ts'
export * from './constants.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './history.ts'
export * from './markets.ts'
export * from './permissions.ts'
export * from './sockets.ts'
export * from './trucks.ts'
export * from './weblog.ts'

import { auth } from './auth.ts'
import type { Endpoint } from './endpoint.ts'
import { markets } from './markets.ts'
import { trucks } from './trucks.ts'
import { weblog } from './weblog.ts'

/** Every call of the API, by domain. */
export const contract = { auth, markets, trucks, weblog }
export const endpoints: Endpoint[] = Object.values(contract).flatMap((domain): Endpoint[] => Object.values(domain))
