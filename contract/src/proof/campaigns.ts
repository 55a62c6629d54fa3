import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, NO_EXPORT, one, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { programStatus } from '../catalog/programs.ts'
import { programDelivery } from './delivery.ts'
import { popDay, popGrade } from './pop-document.ts'

/** Where a campaign stands on the present day of its markets. */
export const campaignPhases = ['running', 'upcoming', 'ended'] as const
const campaignPhase = z.enum(campaignPhases, `Choose ${campaignPhases.join(', ')}.`)
export type CampaignPhase = z.infer<typeof campaignPhase>
export const campaignPhaseLabel: Record<CampaignPhase, string> = {
  running: 'Running',
  upcoming: 'Upcoming',
  ended: 'Ended',
}

/** The figures of some days together. */
const weekFigures = popDay.omit({ day: true }).required()
export type WeekFigures = z.infer<typeof weekFigures>

/** A week from Monday, in local days of the markets. */
const campaignWeek = z.strictObject({
  from: day,
  today: day,
  /** Up to now. */
  figures: weekFigures,
  /** The week before, up to the same weekday; null if no shift took place in it. */
  before: weekFigures.nullable(),
  /** Each day of this week on which a shift took place. */
  days: z.array(popDay),
})
export type CampaignWeek = z.infer<typeof campaignWeek>

/** An approved photo, with signed addresses that expire. */
const campaignPhoto = z.strictObject({
  uid,
  urls: z.strictObject({ small: z.string(), medium: z.string(), large: z.string() }),
  width: z.int(),
  height: z.int(),
  blur: z.string(),
  caption: z.string(),
  market: z.string().nullable(),
  takenAt: instant.nullable(),
  zone: z.string().nullable(),
  grade: popGrade,
})
export type CampaignPhoto = z.infer<typeof campaignPhoto>

/** A planned shift without its truck and driver. */
const upcomingShift = z.strictObject({
  uid,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  market: z.string(),
})
export type UpcomingShift = z.infer<typeof upcomingShift>

/** A program as its client follows it. Drafts are not campaigns. */
const campaign = z.strictObject({
  uid,
  name: z.string(),
  client: namedRef,
  status: programStatus,
  phase: campaignPhase,
  startsOn: day,
  endsOn: day,
  markets: z.array(namedRef),
  /** What is booked and how much of it is delivered. */
  delivery: programDelivery,
  /** Trucks that are on a shift of the campaign at this moment. */
  trucksOut: z.int(),
  week: campaignWeek,
  /** The newest approved photos, and how many there are. */
  photos: z.array(campaignPhoto),
  photosTotal: z.int(),
  /** The next shifts, and how many are planned. */
  upcoming: z.array(upcomingShift),
  upcomingTotal: z.int(),
  /** The address of the public POP page; null while it is not public. */
  popUrl: z.string().nullable(),
  /** The version that is public. */
  popVersion: z.int().nullable(),
})
export type Campaign = z.infer<typeof campaign>

export const truckMotions = ['moving', 'parked', 'silent'] as const

/** A truck on a shift of a campaign, without its number and driver. */
const campaignTruck = z.strictObject({
  /** That of its shift. */
  uid,
  programUid: uid,
  market: z.string(),
  motion: z.enum(truckMotions),
  /** Null without a position in this shift, and near a depot. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  heading: z.number().nullable(),
  positionAt: instant.nullable(),
})
export type CampaignTruck = z.infer<typeof campaignTruck>

// Drivers hold the module POP for their photos.
const view = { module: ['pop', 'clients'], needs: 'view', except: ['driver'] } as const

export const campaigns = {
  list: endpoint({
    method: 'GET',
    path: 'campaigns/run',
    access: view,
    ownRows: 'hours',
    summary:
      'Programs as their clients follow them: this week’s figures, newest approved photos and next shifts. Running ones come first, then upcoming ones. Clients see their own.',
    follows: ['campaigns', 'programs'],
    atLeastEvery: 60,
    added: true,
    query: listQuery(['phase', 'name'], {
      client: anyOf(uid).optional(),
      phase: anyOf(campaignPhase).optional(),
      uid: anyOf(uid).optional(),
    }).omit(NO_EXPORT),
    reply: page(campaign),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'campaigns/trucks',
    access: view,
    ownRows: 'hours',
    summary:
      'The trucks that are on shifts of these programs at this moment, each with its newest position in the shift. Positions near depots are left out.',
    follows: ['shifts'],
    atLeastEvery: 10,
    added: true,
    query: z.strictObject({ program: anyOf(uid) }),
    reply: one(z.array(campaignTruck)),
  }),
  adLog: endpoint({
    method: 'GET',
    path: 'campaigns/{uid}/ad-log',
    access: view,
    ownRows: 'hours',
    summary: 'The plays of a program as CSV, oldest first.',
    added: true,
    isExport: true,
    params: z.strictObject({ uid }),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
}
