import {
  addDays,
  dayText,
  formatFullDay,
  NO_GPS,
  NO_PLAY_LOG,
  countOf,
  type PopChapter,
  type PopDay,
  popStopText,
  type PublicPhoto,
} from '@roadshow/contract'
import { groupBy } from '../../../platform/runtime/group-by.ts'

/** A market on one of its days. */
export interface StoryEntry {
  market: string
  slug: string
  /** `8.0 hours`, `62.1 miles`, `1,234 plays`, `5 photos`. */
  facts: string[]
  /** The planned stops, one line each. */
  stops: string[]
  /** Photos of the day, as far as the page has them. */
  photos: PublicPhoto[]
}

export interface StoryDay {
  day: string
  /** `Wed, Jul 1, 2026` */
  label: string
  entries: StoryEntry[]
}

interface Told extends Pick<PopChapter, 'name' | 'slug' | 'perDay' | 'stops' | 'photos'> {
  /** The number of all photos, where only some are given. */
  allPhotos?: number
  photosPerDay?: Record<string, number> | undefined
}

const NOON = '12:00:00'

/**
 * The day to which a photo belongs: that of its time, or the day before for a photo of a night shift, which belongs to the day
 * on which it started.
 */
function dayOfPhoto(takenAt: string, days: ReadonlySet<string>): string {
  const day = takenAt.slice(0, 10)
  const before = addDays(day, -1)
  return !days.has(day) && takenAt.slice(11) < NOON && days.has(before) ? before : day
}

function photosByDay({ perDay, photos }: Pick<PopChapter, 'perDay' | 'photos'>): Map<string, PublicPhoto[]> {
  const days = new Set(perDay.map(({ day }) => day))
  const timed = photos.filter((photo): photo is PublicPhoto & { takenAt: string } => photo.takenAt !== null)
  return groupBy(timed, ({ takenAt }) => dayOfPhoto(takenAt, days))
}

/** The number of photos of each day. */
export const countPhotosPerDay = (chapter: Pick<PopChapter, 'perDay' | 'photos'>): Record<string, number> =>
  Object.fromEntries([...photosByDay(chapter)].map(([day, photos]) => [day, photos.length]))

/** The number of photos of each day; none for a version that was published without it and has more photos than the page. */
function photoCountsOf(chapter: Told): Record<string, number> {
  const { photosPerDay, allPhotos, photos } = chapter
  const isWhole = allPhotos === undefined || allPhotos === photos.length
  return photosPerDay ?? (isWhole ? countPhotosPerDay(chapter) : {})
}

const withUnit = (value: string, unit: string, unknown: string) =>
  value.startsWith(unknown)
    ? value
    : value.replace(/^\S+/, (number) => `${number} ${number === '1' ? unit : `${unit}s`}`)

function factsOf(day: PopDay | undefined, photos: number): string[] {
  const told = day && dayText(day)
  return [
    ...(told && day.seconds !== undefined ? [`${told.hours} hours`] : []),
    ...(told ? [withUnit(told.miles, 'mile', NO_GPS), withUnit(told.plays, 'play', NO_PLAY_LOG)] : []),
    ...(photos > 0 ? [countOf(photos, 'photo')] : []),
  ]
}

function entriesOf(chapter: Told): [string, StoryEntry][] {
  const { name, slug, perDay, stops = [] } = chapter
  const counts = photoCountsOf(chapter)
  const photos = photosByDay(chapter)
  const driven = new Map(perDay.map((each) => [each.day, each]))
  const days = new Set([...driven.keys(), ...Object.keys(counts), ...stops.map(({ day }) => day)])
  return [...days].map((day) => [
    day,
    {
      market: name,
      slug,
      facts: factsOf(driven.get(day), counts[day] ?? 0),
      stops: stops.filter((stop) => stop.day === day).map(popStopText),
      photos: photos.get(day) ?? [],
    },
  ])
}

/** The days of a version in their order, each with its markets in theirs. */
export function dayStory(chapters: readonly Told[]): StoryDay[] {
  return [...groupBy(chapters.flatMap(entriesOf), ([day]) => day)]
    .map(([day, found]) => ({ day, label: formatFullDay(day), entries: found.map(([, entry]) => entry) }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

export const STORY_TITLE = 'Day by day'
