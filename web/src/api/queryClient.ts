import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import type { Query } from '@tanstack/react-query'
import { ApiError } from './call.ts'
import { reportError } from './error-log.ts'

/** The records a call is about, by the first word of its path: `trucks` of `trucks/run`. */
const recordsOf = ({ path }: Pick<Endpoint, 'path'>): string => path.split('/')[0] ?? ''

/** The cache key of a call. It begins with its records, so that saving one of them refreshes every list of them. */
export const keyOf = (endpoint: Endpoint, input: unknown = {}) => [recordsOf(endpoint), endpoint.path, input] as const

// A refusal stays a refusal, and calls themselves outlast a server that is away for a moment; any other failure is worth
// a second try.
const worthRetrying = (failures: number, error: Error) =>
  failures < 1 && !(error instanceof ApiError && (error.status < 500 || isTransientStatus(error.status)))

/** An ended session leads to the sign-in page, and a server that cannot be reached cannot be told. */
const isWorthReporting = (error: Error) => !(error instanceof ApiError && [0, 401].includes(error.status))

/** Reports a failed read, such as that of a list, under the path of its call. */
function reportFailedRead(error: Error, { queryKey, meta }: Pick<Query<unknown, unknown>, 'queryKey' | 'meta'>): void {
  if (meta?.['isReportedByCaller'] || !isWorthReporting(error)) return
  void reportError(String(queryKey[1] ?? queryKey[0]), error)
}

export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: reportFailedRead }),
    defaultOptions: {
      queries: { retry: worthRetrying },
      // A save is not held back silently: it fails at once, and its form puts it in line or says so.
      mutations: { networkMode: 'always' },
    },
  })
