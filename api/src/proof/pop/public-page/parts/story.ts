import { formatDays, photoTimeText, countOf, type PublicPhoto, workweekOf } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { groupBy } from '../../../../platform/runtime/group-by.ts'
import { dayStory, STORY_TITLE, type StoryDay, type StoryEntry } from '../../publication/day-story.ts'
import type { OpeningChapter } from '../../publication/opening.ts'
import { blurStyle, type PictureUrl } from './photo.ts'

// More days are folded by week, so that the end of the page stays in reach.
const MOST_OPEN = 14
const MOST_THUMBS = 3

const thumb = (photo: PublicPhoto, market: string, pictureUrl: PictureUrl) =>
  html`<a href="${pictureUrl(photo.key, 'large')}"
    ><img
      src="${pictureUrl(photo.key, 'small')}"
      width="${photo.width}"
      height="${photo.height}"
      alt="${[photo.caption || `Photo from ${market}`, photo.takenAt && photoTimeText(photo.takenAt)].filter(Boolean).join(', ')}"
      loading="lazy"
      decoding="async"
      style="${blurStyle(photo)}"
  /></a>`

const entry = ({ market, slug, facts, stops, photos }: StoryEntry, pictureUrl: PictureUrl): Html =>
  html`<div class="entry">
    <p><a href="#${slug}">${market}</a>${facts.map((fact) => html`<span class="figures">${fact}</span>`)}</p>
    ${stops.map((stop) => html`<p class="stop">${stop}</p>`)}
    ${
      photos.length > 0 &&
      html`<p class="thumbs">${photos.slice(0, MOST_THUMBS).map((photo) => thumb(photo, market, pictureUrl))}</p>`
    }
  </div>`

const dayList = (days: readonly StoryDay[], pictureUrl: PictureUrl): Html =>
  html`<ol>
    ${days.map(
      ({ day, label, entries }) =>
        html`<li>
          <h3><time datetime="${day}">${label}</time></h3>
          <div>${entries.map((each) => entry(each, pictureUrl))}</div>
        </li>`,
    )}
  </ol>`

/** Days by week, from Monday. */
const weeksOf = (days: readonly StoryDay[]): { title: string; days: StoryDay[] }[] =>
  [...groupBy(days, ({ day }) => workweekOf(day)).values()].map((days) => ({
    title: `${formatDays(days[0]?.day ?? '', days.at(-1)?.day ?? '')}: ${countOf(days.length, 'day')}`,
    days,
  }))

/** What happened on each day, in every market. Null for a version without days. */
export function storySection(chapters: readonly OpeningChapter[], pictureUrl: PictureUrl): Html | null {
  const days = dayStory(chapters)
  if (days.length === 0) return null
  return html`<section class="story" aria-labelledby="story">
    <h2 id="story">${STORY_TITLE}</h2>
    ${
      days.length <= MOST_OPEN
        ? dayList(days, pictureUrl)
        : weeksOf(days).map(
            ({ title, days }, index) =>
              html`<details ${index === 0 && html`open`}>
                <summary>${title}</summary>
                ${dayList(days, pictureUrl)}
              </details>`,
          )
    }
  </section>`
}
