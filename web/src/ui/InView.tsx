import { useEffect, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { PartBoundary } from './PartBoundary.tsx'
import { SkeletonLine } from './states.tsx'
import styles from './states.module.css'

// Only its upper edge in sight, it can wait.
const ENOUGH = 0.25

interface WhenSeenProps {
  /** Shows the part before the user scrolls to it. */
  isAsked: boolean
  children: ReactNode
}

/** A part below the fold, a lazy one: it is loaded and rendered when the user scrolls to it; then it stays. */
export function InView({ isAsked, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null)
  // A browser that cannot tell shows everything.
  const [isSeen, see] = useState(typeof IntersectionObserver === 'undefined')
  const isDrawn = isSeen || isAsked
  if (isAsked && !isSeen) see(true)
  useEffect(() => {
    if (isDrawn || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) see(true)
      },
      { threshold: ENOUGH },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isDrawn])
  return isDrawn ? <PartBoundary>{children}</PartBoundary> : <LaterBones ref={place} isBusy={false} />
}

/** Takes the place of a part below the fold until it is drawn. */
export const LaterBones = ({ ref, isBusy = true }: { ref?: Ref<HTMLDivElement>; isBusy?: boolean }) => (
  <div ref={ref} className={styles.later} aria-busy={isBusy}>
    <SkeletonLine />
    <SkeletonLine />
    <SkeletonLine />
  </div>
)
