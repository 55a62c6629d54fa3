import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import { useState } from 'react'
import { errorMessage } from './call.ts'
import { download } from './download.ts'

/** Downloading a file that the server may refuse, with the sentence that it refused it by. */
export function useDownload() {
  const [busy, setBusy] = useState<string>()
  const [refused, setRefused] = useState<string>()
  return {
    busy,
    refused,
    /** `what` identifies the button. */
    fetch: async <E extends Endpoint>(what: string, endpoint: E, input: InputOf<E>) => {
      setBusy(what)
      setRefused(undefined)
      await download(endpoint, input).catch((error: unknown) => setRefused(errorMessage(error)))
      setBusy(undefined)
    },
  }
}
