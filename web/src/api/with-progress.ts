/** A fetch that tells how many bytes have been sent, of how many, which fetch itself cannot. */
export const withProgress =
  (onSent: (bytes: number, ofBytes: number) => void) =>
  (url: string, { method, headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const stop = () => request.abort()
      request.open(method ?? 'GET', url)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total))
      request.addEventListener('load', () =>
        resolve(new Response(request.responseText || null, { status: request.status })),
      )
      request.addEventListener('error', () => reject(new TypeError('The connection broke off.')))
      request.addEventListener('abort', () => reject(signal?.reason as Error))
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason as Error)
      else request.send(body as XMLHttpRequestBodyInit | null)
    })
