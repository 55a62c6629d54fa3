import { useSyncExternalStore } from 'react'

/** Whether a media query holds, followed as it changes. */
export function useMedia(query: string): boolean {
  const media = matchMedia(query)
  return useSyncExternalStore(
    (changed) => {
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => media.matches,
  )
}

const onResize = (changed: () => void) => {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

/** The width of the window in steps of 20 pixels, so that dragging its edge does not draw a table for every pixel. */
export const useWindowWidth = () => useSyncExternalStore(onResize, () => Math.floor(innerWidth / 20) * 20)

/** Narrower than this, a table is read as cards. */
export const useIsPhone = () => useMedia('(max-width: 639px)')
