import type { Point } from '@roadshow/contract/platform/geo'
import type { ReactNode } from 'react'
import type { ColorName } from '../../brand/colors.ts'

/** Something that moves: an arrow where it heads, a disc where it stands, a ring where nothing is heard of it. */
export interface Spot extends Point {
  id: string
  name: string
  /** What it is doing, in words. */
  text: string
  tone: ColorName
  shape: 'arrow' | 'disc' | 'ring'
  /** In degrees from north. */
  heading: number | null
  /** Needs attention: it gets a second ring. */
  isUrgent: boolean
}

/** Where it was, as pairs of latitude and longitude. */
export type TrackPoints = readonly (readonly [latitude: number, longitude: number])[]

export interface SpotMapProps {
  label: string
  height?: number
  spots: readonly Spot[]
  chosen?: string | undefined
  onChoose?: (id: string | undefined) => void
  /** Keeps the chosen one in the middle. */
  isFollowing?: boolean
  /** The user moved the map by hand. */
  onLeave?: () => void
  track?: TrackPoints | undefined
  /** What is said of the chosen one. */
  aside?: ReactNode
}

/** A spot where the map has it, in pixels of the whole world at a zoom. */
export interface PlacedSpot {
  x: number
  y: number
  spot: Spot
}

/** Spots too close to be told apart, at the middle of them. */
export interface Cluster {
  x: number
  y: number
  members: PlacedSpot[]
}

const CELL_PX = 52
// Two circles closer than this cover each other.
const TOUCHING_PX = 34

const cellKey = (column: number, row: number) => column * 0x4000000 + row

/** Gathers spots by a grid over the world, so that moving the map regroups nothing; neighbors that touch become one. */
export function clusterSpots(placed: readonly PlacedSpot[]): Cluster[] {
  const cells = new Map<number, Cluster>()
  for (const each of placed) {
    const key = cellKey(Math.floor(each.x / CELL_PX), Math.floor(each.y / CELL_PX))
    const cell = cells.get(key)
    if (cell) cell.members.push(each)
    else cells.set(key, { x: 0, y: 0, members: [each] })
  }
  for (const cell of cells.values()) settle(cell)
  const byCell = new Map(cells)
  const largestFirst = [...cells].toSorted(([, one], [, other]) => other.members.length - one.members.length)
  const gathered: Cluster[] = []
  for (const [key, cluster] of largestFirst) {
    if (byCell.get(key) !== cluster) continue
    for (const beside of neighbors(key)) {
      const other = byCell.get(beside)
      if (!other || Math.hypot(other.x - cluster.x, other.y - cluster.y) > TOUCHING_PX) continue
      cluster.members.push(...other.members)
      byCell.delete(beside)
    }
    byCell.delete(key)
    settle(cluster)
    gathered.push(cluster)
  }
  return gathered
}

function settle(cluster: Cluster): void {
  const { members } = cluster
  cluster.x = members.reduce((sum, { x }) => sum + x, 0) / members.length
  cluster.y = members.reduce((sum, { y }) => sum + y, 0) / members.length
}

const STEPS = [-1, 0, 1]
const neighbors = (key: number) => {
  const column = Math.floor(key / 0x4000000)
  const row = key % 0x4000000
  return STEPS.flatMap((across) => STEPS.map((down) => cellKey(column + across, row + down))).filter((at) => at !== key)
}

/** How many members have each tone, the same order for the same tones. */
export function toneShares({ members }: Cluster): [ColorName, number][] {
  const shares = new Map<ColorName, number>()
  for (const { spot } of members) shares.set(spot.tone, (shares.get(spot.tone) ?? 0) + 1)
  return [...shares].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
