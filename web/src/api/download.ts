import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import { send } from './call.ts'

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The filename a content-disposition gives; its UTF-8 form wins over the plain one. */
export function filenameOf(disposition: string | null): string {
  const utf8 = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (utf8) return decoded(utf8)
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'download'
}

/** Fetches a file of the API, which needs the token, and hands it to the browser to keep. */
export async function download<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<void> {
  const response = await send(endpoint, input)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = filenameOf(response.headers.get('content-disposition'))
  link.click()
  // The browser has taken the address by the next turn; keeping it would keep the whole file in memory.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
