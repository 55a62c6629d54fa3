import * as z from '../platform/zod.ts'
import {
  anyOf,
  instant,
  listQuery,
  namedRef,
  one,
  page,
  paragraph,
  requiredLine,
  textLine,
  uid,
  version,
} from '../platform/common.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef, fileUid } from '../platform/files.ts'
import { historyEndpoint } from '../platform/history.ts'
import { truckSides } from './pixel-maps.ts'
import type { Canvas, PixelRectangle, TruckSide } from './pixel-maps.ts'

export const artworkStatuses = ['draft', 'approved'] as const
const artworkStatus = z.enum(artworkStatuses, 'Choose draft or approved.')
export type ArtworkStatus = z.infer<typeof artworkStatus>
export const artworkStatusLabel: Record<ArtworkStatus, string> = { draft: 'Draft', approved: 'Approved' }

/** The field of a set that holds a side's file. */
export const artworkField = {
  driverSide: 'driverSideArtwork',
  passengerSide: 'passengerSideArtwork',
  rear: 'rearArtwork',
} as const satisfies Record<TruckSide, string>

export const artworkSet = z.strictObject({
  uid,
  program: namedRef,
  client: namedRef,
  name: z.string(),
  status: artworkStatus,
  driverSideArtwork: fileRef.nullable(),
  passengerSideArtwork: fileRef.nullable(),
  rearArtwork: fileRef.nullable(),
  /** SHA-256 over the three files' hashes: what an approval is bound to. Null while a side lacks its file. */
  filesHash: z.string().nullable(),
  approvedHash: z.string().nullable(),
  approvedBy: namedRef.nullable(),
  approvedAt: instant.nullable(),
  /** Why it was approved although it fits no truck; empty otherwise, and for clients. */
  approvalReason: z.string(),
  note: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type ArtworkSet = z.infer<typeof artworkSet>

const side = fileUid.nullable().prefault(null)

export const artworkInput = z.strictObject({
  programUid: z.uuid('Choose a program.'),
  name: requiredLine(120),
  driverSideArtworkUid: side,
  passengerSideArtworkUid: side,
  rearArtworkUid: side,
  note: paragraph(2000).prefault(''),
})
export type ArtworkInput = z.input<typeof artworkInput>

/** How well a file fits a side of a truck, from best to worst. A set fits a truck as well as its worst side does. */
export const fits = ['exact', 'scales', 'tooLarge', 'wrongRatio', 'unknown'] as const
export type Fit = (typeof fits)[number]

/** Whether a file of this fit would be cropped by dark areas, or make players stutter. */
export const isMisfit = (fit: Fit): boolean => fit === 'tooLarge' || fit === 'wrongRatio'

export const fitLabel: Record<Fit, string> = {
  exact: 'Exact',
  scales: 'Scales',
  tooLarge: 'Too large',
  wrongRatio: 'Wrong ratio',
  unknown: 'Unknown',
}

interface Size {
  width: number | null
  height: number | null
}

// A hundredth is invisible, and as much as rounding to whole pixels can cause.
const RATIO_TOLERANCE = 0.01
// The limit is sixteen times the pixels of the side: more makes players stutter without a visible gain.
const MAX_SCALE = 4

/** Exact, or of the same ratio and not needlessly large; unknown when one of the two has no size. */
export function fitOf(file: Size | null | undefined, panel: Size | null | undefined): Fit {
  if (!file?.width || !file.height || !panel?.width || !panel.height) return 'unknown'
  if (file.width === panel.width && file.height === panel.height) return 'exact'
  const ratio = (file.width * panel.height) / (file.height * panel.width)
  if (Math.abs(ratio - 1) > RATIO_TOLERANCE) return 'wrongRatio'
  return file.width > panel.width * MAX_SCALE || file.height > panel.height * MAX_SCALE ? 'tooLarge' : 'scales'
}

/**
 * The area of a side that a file covers, in pixels from the side's corner. A file of the side's ratio fills it; any other
 * is shown whole and centered, and the side stays dark beside it.
 */
export function areaOnSide(file: Canvas, side: Canvas): PixelRectangle {
  if (fitOf(file, side) !== 'wrongRatio') return { x: 0, y: 0, width: side.width, height: side.height }
  const scale = Math.min(side.width / file.width, side.height / file.height)
  const width = Math.max(1, Math.round(file.width * scale))
  const height = Math.max(1, Math.round(file.height * scale))
  return { x: Math.floor((side.width - width) / 2), y: Math.floor((side.height - height) / 2), width, height }
}

type Sides<T> = Record<TruckSide, T>

/** How each side of a set meets a truck, and the set as a whole. */
export function fitOfSet(files: Sides<Size | null>, panels: Sides<Size> | null): { fit: Fit; sides: Sides<Fit> } {
  const sides = Object.fromEntries(truckSides.map((at) => [at, fitOf(files[at], panels?.[at])])) as Sides<Fit>
  const fit = fits.findLast((each) => truckSides.some((at) => sides[at] === each)) ?? 'unknown'
  return { fit, sides }
}

const panel = z.strictObject({ width: z.int(), height: z.int() })

/** Trucks with the same pixel map: artwork that fits one of them fits all. */
const truckGroup = z.strictObject({
  /** Null for the trucks that have none. */
  pixelMap: namedRef.nullable(),
  panels: z.strictObject({ driverSide: panel, passengerSide: panel, rear: panel }).nullable(),
  trucks: z.int(),
  /** Some of their numbers; none for those who may not see trucks. */
  numbers: z.array(z.string()),
})
export type TruckGroup = z.infer<typeof truckGroup>

const fit = z.enum(fits)

const view = { module: 'clients', needs: 'view' } as const
const edit = { module: 'clients', needs: 'edit' } as const

export const artworkSets = {
  list: endpoint({
    method: 'GET',
    path: 'artwork-sets/run',
    access: view,
    ownRows: 'records',
    summary: 'Artwork sets, searched in name and note. A user of role client sees those of their own client.',
    follows: ['artwork'],
    query: listQuery(['name', 'status', 'updatedAt'], {
      program: anyOf(uid).optional(),
      client: anyOf(uid).optional(),
      status: anyOf(artworkStatus).optional(),
    }),
    reply: page(artworkSet),
  }),
  get: endpoint({
    method: 'GET',
    path: 'artwork-sets/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'One artwork set, as its drawer opens it from a link.',
    follows: ['artwork'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(artworkSet),
  }),
  create: endpoint({
    method: 'POST',
    path: 'artwork-sets/',
    access: edit,
    summary: 'Adds an artwork set, as a draft.',
    body: artworkInput,
    reply: one(artworkSet),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'artwork-sets/',
    access: edit,
    summary: 'Changes an artwork set. Another file makes it a draft again; an old version answers 409.',
    body: artworkInput.extend({ uid, version }),
    reply: one(artworkSet),
  }),
  remove: removeEndpoint({
    path: 'artwork-sets',
    access: edit,
    summary: 'Deletes an artwork set; its history is kept. While SD addresses show it, answers 409 and names them.',
  }),
  dependents: dependentsEndpoint({ path: 'artwork-sets', access: edit }),
  restore: restoreEndpoint({ path: 'artwork-sets', access: edit }),
  approve: endpoint({
    method: 'POST',
    path: 'artwork-sets/approve',
    access: edit,
    keys: false,
    summary:
      'Approves the files that have this hash. Answers 409 if they have changed or one is missing, and without a reason if they fit none of the booked trucks.',
    added: true,
    body: z.strictObject({
      uid,
      filesHash: z.string('Must be text.').regex(/^[0-9a-f]{64}$/, 'Not a valid hash.'),
      /** Needed for files that fit none of the trucks. */
      reason: textLine(300).prefault(''),
    }),
    reply: one(artworkSet),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: 'artwork-sets/withdraw',
    access: edit,
    keys: false,
    summary: 'Makes an approved set a draft again.',
    added: true,
    body: z.strictObject({ uid }),
    reply: one(artworkSet),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'artwork-sets/trucks',
    access: view,
    ownRows: 'shared',
    summary: 'The trucks that artwork is made for, by pixel map, with the size of each side.',
    follows: ['trucks', 'pixelMaps', 'devices'],
    added: true,
    reply: one(z.array(truckGroup)),
  }),
  fit: endpoint({
    method: 'GET',
    path: 'artwork-sets/{uid}/fit',
    access: view,
    ownRows: 'records',
    summary: 'How a set meets the trucks, by pixel map: exact, scales, too large, wrong ratio or unknown.',
    follows: ['artwork', 'trucks', 'pixelMaps', 'devices'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(
      z.array(truckGroup.extend({ fit, sides: z.strictObject({ driverSide: fit, passengerSide: fit, rear: fit }) })),
    ),
  }),
  history: historyEndpoint('artwork-sets', view, { ownRows: 'records' }),
}
