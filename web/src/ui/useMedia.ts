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

const pageOf = () => document.getElementById('main')

function onPageResize(changed: () => void) {
  const observer = new ResizeObserver(changed)
  const page = pageOf()
  if (page) observer.observe(page)
  addEventListener('resize', changed)
  return () => {
    observer.disconnect()
    removeEventListener('resize', changed)
  }
}

const pageWidth = () => Math.floor((pageOf()?.clientWidth || innerWidth) / 20) * 20

/** The width of the page beside a pinned menu, in steps of 20 pixels, so that dragging an edge does not draw a table for every pixel. */
export const usePageWidth = () => useSyncExternalStore(onPageResize, pageWidth)

/** Narrower than this, a table is read as cards. */
export const useIsPhone = () => useMedia('(max-width: 639px)')
