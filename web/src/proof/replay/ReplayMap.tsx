import { lazyPart } from '../../ui/lazyPart.tsx'
import type { ReplayMapProps } from './replayMapProps.ts'
import styles from './replay.module.css'

const load = () => import('./LeafletReplayMap.tsx')

/** Fetches the map while its replay is still asked for. Where that fails, the map itself says so. */
export const prepareReplayMap = () => void load().catch(() => {})

// Leaflet is fetched with the first map that is shown.
const LeafletReplay = lazyPart<ReplayMapProps>(load, {
  waiting: () => <div className={styles.bones} aria-hidden />,
})

/** The track of a replay, and the truck where it is at its moment. */
export const ReplayMap = (props: ReplayMapProps) => <LeafletReplay {...props} />
