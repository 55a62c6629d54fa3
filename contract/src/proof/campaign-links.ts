import * as z from '../platform/zod.ts'
import { instant, namedRef, one, textLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { pictureParams } from './photos.ts'

/** Where the page of a campaign link is opened, before the token. */
export const CAMPAIGN_PAGE = '/c/'

export const LINK_DAYS = { standard: 30, max: 365 } as const
/** How far positions lag behind on the page of a link, in minutes. */
export const LINK_DELAY = { standard: 15, min: 5, max: 1440 } as const

export const campaignLinkStateLabel = { open: 'Active', expired: 'Expired', ended: 'Revoked' } as const
export type CampaignLinkState = keyof typeof campaignLinkStateLabel

/** A link to the public page of a campaign, without its token, which is shown once. */
const campaignLink = z.strictObject({
  uid,
  label: z.string(),
  state: z.enum(Object.keys(campaignLinkStateLabel) as [CampaignLinkState, ...CampaignLinkState[]]),
  delayMinutes: z.int(),
  createdBy: namedRef,
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  endedBy: namedRef.nullable(),
  views: z.int(),
  lastViewedAt: instant.nullable(),
})
export type CampaignLink = z.infer<typeof campaignLink>

const aDelay = `Must be from ${LINK_DELAY.min} to ${LINK_DELAY.max} minutes.`
const aLife = `Must be from 1 to ${LINK_DAYS.max} days.`

export const campaignLinkInput = z.strictObject({
  programUid: z.uuid('Choose a program.'),
  label: textLine(80).prefault(''),
  expiresInDays: z.int(aLife).min(1, aLife).max(LINK_DAYS.max, aLife).prefault(LINK_DAYS.standard),
  delayMinutes: z.int(aDelay).min(LINK_DELAY.min, aDelay).max(LINK_DELAY.max, aDelay).prefault(LINK_DELAY.standard),
})
export type CampaignLinkInput = z.input<typeof campaignLinkInput>

const view = { module: 'pop', needs: 'view', reach: 'all' } as const
const edit = { module: 'pop', needs: 'edit', reach: 'all' } as const

export const campaignLinks = {
  list: endpoint({
    method: 'GET',
    path: 'campaigns/{uid}/links',
    access: view,
    summary: 'The links to the public page of a campaign, newest first, with their views.',
    follows: ['campaigns'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.array(campaignLink)),
  }),
  create: endpoint({
    method: 'POST',
    path: 'campaigns/links',
    access: edit,
    keys: false,
    secret: true,
    summary: 'Makes a link to the public page of a campaign. Its address is in this answer only; a hash of it is kept.',
    added: true,
    body: campaignLinkInput,
    reply: one(z.strictObject({ url: z.string(), link: campaignLink })),
  }),
  end: endpoint({
    method: 'DELETE',
    path: 'campaigns/links/{uid}',
    access: edit,
    keys: false,
    summary: 'Revokes a link at once, on every node.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(campaignLink),
  }),
}

const token = z.string().max(100)

/** A truck on the page of a link. */
const linkTruck = z.strictObject({
  market: z.string(),
  isMoving: z.boolean(),
  latitude: z.number(),
  longitude: z.number(),
  heading: z.number().nullable(),
  /** The time of the position, by the clocks of the market. */
  at: z.string(),
})
export type LinkTruck = z.infer<typeof linkTruck>

const liveCampaign = z.strictObject({
  /** Where the trucks were then, in words. */
  sentence: z.string(),
  trucks: z.array(linkTruck),
  /** The texts of the page by the name of their place, so that an open page shows the newest figures. */
  texts: z.record(z.string(), z.string()),
})
export type LiveCampaign = z.infer<typeof liveCampaign>

/** Public endpoints of a campaign link. Unknown, expired and revoked links answer alike. */
export const publicCampaign = {
  live: endpoint({
    method: 'GET',
    path: 'shared-campaigns/{token}/live',
    rate: 'public',
    access: 'public',
    summary: 'Returns where the trucks of a campaign were a set time ago, and its newest figures.',
    added: true,
    params: z.strictObject({ token }),
    reply: one(liveCampaign),
  }),
  picture: endpoint({
    method: 'GET',
    path: 'shared-campaigns/{token}/pictures/{key}/{size}',
    rate: 'picture',
    access: 'public',
    summary: 'Returns an approved photo of the campaign.',
    added: true,
    params: z.strictObject({ token, ...pictureParams.shape }),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
}
