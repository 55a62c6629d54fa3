import { useQuery } from '@tanstack/react-query'
import type * as z from '@roadshow/contract/platform/zod'
import { call } from './call.ts'
import { keyOf } from './queryClient.ts'
import type { Read } from './useCall.ts'

/** A call that answers one record by its uid. */
export interface RecordBy<Row> extends Read {
  params: z.ZodObject<{ uid: z.ZodUUID }>
  reply: z.ZodType<unknown, { data: Row }>
}

/** Where the record of an open form is kept: not where others look at it, since a form keeps the version it has. */
export const formKey = (get: Read, uid: string | undefined) => [...keyOf(get, { params: { uid } }), 'form']

/** The record a form opens, or nothing for a new one. It is fetched each time, because saving an old version is refused. */
export const useRecord = <Row>(get: RecordBy<Row>, uid: string | undefined) =>
  useQuery({
    queryKey: formKey(get, uid),
    queryFn: async ({ signal }) => (await call(get, { params: { uid: uid ?? '' } }, { signal })).data,
    enabled: uid !== undefined,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    // A form that could not be opened opens when the server is back; an open one keeps its version.
    refetchOnReconnect: ({ state }) => state.data === undefined,
  })
