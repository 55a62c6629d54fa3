import { useCall } from './useCall.ts'
import type { RecordBy } from './useRecord.ts'

/** A record that is looked at, kept current; nothing without a uid. */
export const useDetails = <Row>(get: RecordBy<Row>, uid: string | undefined) =>
  useCall(get, { params: { uid: uid ?? '' } }, { enabled: uid !== undefined, refetchOnMount: 'always' })
