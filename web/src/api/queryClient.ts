import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './call.ts'

/** The records a call is about, by the first word of its path: `trucks` of `trucks/run`. */
export const recordsOf = ({ path }: Pick<Endpoint, 'path'>): string => path.split('/')[0] ?? ''

/** The cache key of a call. It begins with its records, so that saving one of them refreshes every list of them. */
export const keyOf = (endpoint: Endpoint, input: unknown = {}) => [recordsOf(endpoint), endpoint.path, input] as const

// What the server has refused will be refused again, and calls themselves outlast a server that is away for a moment;
// one that fails is worth a second try.
const worthRetrying = (failures: number, error: Error) =>
  failures < 1 && !(error instanceof ApiError && (error.status < 500 || isTransientStatus(error.status)))

export const createQueryClient = () => new QueryClient({ defaultOptions: { queries: { retry: worthRetrying } } })
