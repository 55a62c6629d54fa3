import { TRUCK_SIDE } from '@roadshow/contract/catalog/drawn-truck'
import { TRUCK_REAR, truckRearShapes } from '@roadshow/contract/catalog/drawn-truck-rear'
import { fileTypes } from '@roadshow/contract/platform/files'
import type { FileRef } from '@roadshow/contract/platform/files'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { colors } from '../../brand/colors.ts'
import { DrawnTruck, TruckShapes } from '../../brand/DrawnTruck.tsx'
import styles from './artwork.module.css'

interface Box {
  width: number
  height: number
}

const SIDE: Box = { width: TRUCK_SIDE.screen.width, height: TRUCK_SIDE.screen.height }
const { x: REAR_X, y: REAR_Y, ...REAR } = TRUCK_REAR.screen

/** The largest screen of a ratio that a place on the truck has room for, in its middle. */
function screenIn(place: Box, panel: Box | undefined) {
  if (!panel) return { x: 0, y: 0, ...place }
  const scale = Math.min(place.width / panel.width, place.height / panel.height)
  const [width, height] = [panel.width * scale, panel.height * scale]
  return { x: (place.width - width) / 2, y: (place.height - height) / 2, width, height }
}

interface WornProps {
  file: FileRef | undefined
  /** Where screens can be on this side of the drawing. */
  place: Box
  /** The screen of a truck, in pixels; without one it fills the place. */
  panel: Box | undefined
  isLarge: boolean
}

/** The screen of a side with its file. */
function Worn({ file, place, panel, isLarge }: WornProps) {
  const { x, y, ...box } = screenIn(place, panel)
  return (
    <svg x={x} y={y} {...box} viewBox={`0 0 ${box.width} ${box.height}`}>
      {panel && <rect {...box} fill={colors.asphalt[1]} stroke={colors.control[1]} strokeWidth={1} />}
      <FileOnScreen file={file} box={box} isLarge={isLarge} />
    </svg>
  )
}

/** A file on a screen, whole: where its ratio is another, the screen stays dark beside it. */
function FileOnScreen({ file, box, isLarge }: { file: FileRef | undefined; box: Box; isLarge: boolean }) {
  const isVideo = file !== undefined && fileTypes[file.contentType].isVideo
  const source = file && (isLarge && !isVideo ? file.url : (file.thumbnailUrl ?? (isVideo ? undefined : file.url)))
  if (source) return <image href={source} {...box} preserveAspectRatio="xMidYMid meet" />
  return (
    <text
      x={box.width / 2}
      y={box.height / 2 + 5}
      textAnchor="middle"
      fontSize={15}
      fill={colors['on-asphalt-soft'][1]}
    >
      {file ? file.name : 'No file yet'}
    </text>
  )
}

/** The truck from behind: doors' place taken by the rear screen. */
function DrawnRear({ title, ...worn }: Omit<WornProps, 'place'> & { title: string }) {
  return (
    <svg viewBox="0 0 244 244" role="img" aria-label={title} className={styles.truck}>
      <TruckShapes shapes={truckRearShapes} />
      <svg x={REAR_X} y={REAR_Y} {...REAR} viewBox={`0 0 ${REAR.width} ${REAR.height}`}>
        <rect {...REAR} rx={2} fill={colors.asphalt[1]} />
        <Worn {...worn} place={REAR} />
      </svg>
    </svg>
  )
}

interface WornTruckProps {
  side: TruckSide
  file: FileRef | undefined
  /** The pixels of this side of a certain truck, whose ratio the screen then has. */
  panel?: Box | undefined
  /** Shown as large as the screen allows: with the file itself instead of its small picture. */
  isLarge?: boolean
}

/** The truck seen from one side, wearing a file there. */
export function TruckWithArtwork({ side, file, panel, isLarge = false }: WornTruckProps) {
  const title = `${truckSideLabel[side]}: ${file?.name ?? 'no file yet'}`
  if (side === 'rear') return <DrawnRear file={file} panel={panel} title={title} isLarge={isLarge} />
  const worn = <Worn file={file} place={SIDE} panel={panel} isLarge={isLarge} />
  // From the passenger side the cab is at the right; the drawing is mirrored, what it wears is not.
  const isMirrored = side === 'passengerSide'
  return (
    <DrawnTruck title={title} width="100%" className={`${styles.truck ?? ''} ${(isMirrored && styles.mirrored) || ''}`}>
      {isMirrored ? <g transform={`translate(${SIDE.width} 0) scale(-1 1)`}>{worn}</g> : worn}
    </DrawnTruck>
  )
}
