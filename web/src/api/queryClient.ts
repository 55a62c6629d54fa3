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

/**
 * What a reader may no longer see leaves the page: a refused read keeps no old answer. Of rows that belong to someone by their
 * hours, not being found says the same.
 */
function dropRefused(error: Error, query: Pick<Query<unknown, unknown>, 'state' | 'meta' | 'setState'>): void {
  if (!(error instanceof ApiError) || query.state.data === undefined) return
  const isLost = error.status === 404 && query.meta?.read?.endpoint.ownRows === 'hours'
  if (error.status === 403 || isLost) query.setState({ data: undefined })
}

export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        dropRefused(error, query)
        reportFailedRead(error, query)
      },
    }),
    defaultOptions: {
      queries: { retry: worthRetrying },
      // A save is not held back silently: it fails at once, and its form puts it in line or says so.
      mutations: { networkMode: 'always' },
    },
  })
