import { type PopChapter, type PopDocument, toMiles, upToOneDigit } from '@roadshow/contract'
import { joinNames } from '../../../platform/runtime/app-error.ts'

/** How a version differs from the one before, in a sentence. */
export function describeChanges(before: PopDocument, now: PopDocument): string {
  const parts = [
    ...photoChanges(before, now),
    ...marketChanges(before, now),
    ...difference(miles(now) - miles(before), 'mile'),
    ...difference(now.figures.plays - before.figures.plays, 'play'),
    ...difference(now.figures.verifiedPlays - before.figures.verifiedPlays, 'verified play'),
    ...difference(now.figures.shifts - before.figures.shifts, 'shift'),
    ...(isSame(before, now, 'headline', 'text') && areSame(before, now, 'headline', 'text') ? [] : ['text changed']),
    ...(isSame(before, now, 'startsOn', 'endsOn') && areSame(before, now, 'startsOn', 'endsOn')
      ? []
      : ['dates changed']),
    ...(isSame(before, now, 'brand', 'client', 'program') ? [] : ['names changed']),
    ...(before.logo?.sha256 === now.logo?.sha256 ? [] : ['logo changed']),
    ...(before.cover === now.cover ? [] : ['cover changed']),
    ...(stopsOf(before) === stopsOf(now) ? [] : ['planned stops changed']),
    ...(impressionsOf(before) === impressionsOf(now) ? [] : ['estimated impressions changed']),
    ...(before.milesAlgorithm === now.milesAlgorithm ? [] : ['miles measured with another method']),
  ]
  if (parts.length === 0) return 'No changes.'
  const sentence = `${parts.join(', ')}.`
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const stopsOf = ({ chapters }: PopDocument) => JSON.stringify(chapters.flatMap(({ stops = [] }) => stops))

const impressionsOf = ({ impressions, chapters }: PopDocument) =>
  JSON.stringify([impressions, ...chapters.flatMap((chapter) => chapter.impressions ?? [])])

const amountOf = (many: number, noun: string) => `${upToOneDigit(many)} ${noun}${many === 1 ? '' : 's'}`

const difference = (change: number, noun: string) =>
  change === 0 ? [] : [`${amountOf(Math.abs(change), noun)} ${change > 0 ? 'more' : 'fewer'}`]

// Tenths, as the page shows them.
const miles = ({ figures }: PopDocument) => Math.round(toMiles(figures.metres) * 10) / 10

function photoChanges(before: PopDocument, now: PopDocument): string[] {
  const photosOf = ({ chapters }: PopDocument) => chapters.flatMap(({ photos }) => photos)
  const [old, fresh] = [photosOf(before), photosOf(now)]
  const known = new Map(old.map((photo) => [photo.key, photo]))
  const kept = fresh.filter(({ key }) => known.has(key))
  const [added, removed] = [fresh.length - kept.length, old.length - kept.length]
  const of = (field: 'caption' | 'grade') =>
    kept.filter((photo) => known.get(photo.key)?.[field] !== photo[field]).length
  const [captions, grades] = [of('caption'), of('grade')]
  const keys = new Set(kept.map(({ key }) => key))
  const isReordered = old.filter(({ key }) => keys.has(key)).some(({ key }, index) => kept[index]?.key !== key)
  return [
    ...(added > 0 ? [`${amountOf(added, 'photo')} added`] : []),
    ...(removed > 0 ? [`${amountOf(removed, 'photo')} removed`] : []),
    ...(captions > 0 ? [`${amountOf(captions, 'caption')} changed`] : []),
    ...(grades > 0 ? [`${amountOf(grades, 'photo')} graded again`] : []),
    ...(isReordered ? ['photos reordered'] : []),
  ]
}

const listNames = (markets: string[]) => `market${markets.length === 1 ? '' : 's'} ${joinNames(markets)}`

function marketChanges(before: PopDocument, now: PopDocument): string[] {
  const [old, fresh] = [before, now].map(({ chapters }) => chapters.map(({ name }) => name))
  const added = fresh?.filter((name) => !old?.includes(name)) ?? []
  const removed = old?.filter((name) => !fresh?.includes(name)) ?? []
  return [
    ...(added.length > 0 ? [`${listNames(added)} added`] : []),
    ...(removed.length > 0 ? [`${listNames(removed)} removed`] : []),
  ]
}

const isSame = <T>(one: T, other: T, ...fields: (keyof T)[]) => fields.every((field) => one[field] === other[field])

/** Whether markets of both versions agree in these fields. */
const areSame = (before: PopDocument, now: PopDocument, ...fields: (keyof PopChapter)[]) =>
  now.chapters.every((chapter) => {
    const old = before.chapters.find(({ slug }) => slug === chapter.slug)
    return !old || isSame(old, chapter, ...fields)
  })
