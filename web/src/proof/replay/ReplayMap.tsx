import { lazyPart } from '../../ui/lazyPart.tsx'
import type { ReplayMapProps } from './replayMapProps.ts'
import styles from './replay.module.css'

// Leaflet is fetched with the first map that is shown.
const LeafletReplay = lazyPart<ReplayMapProps>(() => import('./LeafletReplayMap.tsx'), {
  waiting: () => <div className={styles.bones} aria-hidden />,
})

/** The track of a replay, and the truck where it is at its moment. */
export const ReplayMap = (props: ReplayMapProps) => <LeafletReplay {...props} />
