import { useCallback, useEffect, useState } from 'react'

/** An address for a picture while a component shows it; the picture is read when it is shown. */
export function useStoredPicture(
  id: string | undefined,
  read: (id: string) => Promise<Blob | undefined>,
): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isShown = true
    const show = async (stored: string) => {
      const picture = await read(stored)
      if (!isShown || !picture) return
      made = URL.createObjectURL(picture)
      setUrl(made)
    }
    if (id !== undefined) void show(id)
    return () => {
      isShown = false
      setUrl(undefined)
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, read])
  return url
}

/** An address for a picture that is at hand. */
export function useBlobUrl(picture: Blob | undefined): string | undefined {
  const read = useCallback(async () => picture, [picture])
  return useStoredPicture(picture && 'picture', read)
}
