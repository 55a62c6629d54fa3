import {
  addDays,
  dayText,
  formatWeekday,
  NO_GPS,
  NO_PLAY_LOG,
  pluralize,
  type PopChapter,
  type PopDay,
  popStopText,
  type PublicPhoto,
} from '@roadshow/contract'

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
 * on which it started. Undefined for a photo without a time.
 */
function dayOfPhoto(takenAt: string | null, days: ReadonlySet<string>): string | undefined {
  if (takenAt === null) return undefined
  const day = takenAt.slice(0, 10)
  const before = addDays(day, -1)
  return !days.has(day) && takenAt.slice(11) < NOON && days.has(before) ? before : day
}

function photosByDay({ perDay, photos }: Pick<PopChapter, 'perDay' | 'photos'>): Map<string, PublicPhoto[]> {
  const days = new Set(perDay.map(({ day }) => day))
  const found = new Map<string, PublicPhoto[]>()
  for (const photo of photos) {
    const day = dayOfPhoto(photo.takenAt, days)
    if (day === undefined) continue
    const others = found.get(day)
    if (others) others.push(photo)
    else found.set(day, [photo])
  }
  return found
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
    ...(photos > 0 ? [pluralize(photos, 'photo')] : []),
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
  const days = new Map<string, StoryEntry[]>()
  for (const [day, entry] of chapters.flatMap((chapter) => entriesOf(chapter)))
    days.set(day, [...(days.get(day) ?? []), entry])
  return [...days.keys()].toSorted().map((day) => ({ day, label: formatWeekday(day), entries: days.get(day) ?? [] }))
}

export const STORY_TITLE = 'Day by day'
