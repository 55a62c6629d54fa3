import { apiKeys } from '@roadshow/contract/accounts/api-keys'
import { FEED_DELAY_MINUTES, feeds } from '@roadshow/contract/outreach/feeds'
import { API_BASE } from '@roadshow/contract/platform/constants'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/user.ts'
import { CopyLink } from '../../ui/form/CopyLink.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import styles from './FeedsTab.module.css'

interface FeedOffer {
  path: string
  title: string
  content: string
}

const offers: readonly FeedOffer[] = [
  {
    path: feeds.playsCsv.path,
    title: 'Plays as CSV',
    content:
      'Every play with its time, truck, side, artwork, place and grade, in the order of arrival. Corrections of earlier plays follow as they happen.',
  },
  { path: feeds.playLines.path, title: 'Plays as JSON lines', content: 'The same plays, one JSON object a line.' },
  {
    path: feeds.adPlays.path,
    title: 'Plays for Google (out-of-home ad plays)',
    content:
      'Plays of the last three days as batches for Display & Video 360. Add the seller’s number and the impressions for each play to the address.',
  },
  {
    path: feeds.positions.path,
    title: 'Positions as GeoJSON',
    content: 'The route of each truck within the hours of this program’s shifts, one line for each shift.',
  },
]

/** The addresses at which partners read what this program delivers. */
export function FeedsTab({ program }: { program: string }) {
  const mayMakeKeys = useMay(apiKeys.create)
  return (
    <Stack gap={4} className={styles.feeds}>
      <p>
        Partners read these addresses with an API key that may read the module Overview. A key for one client reads that
        client’s programs only. A play appears {FEED_DELAY_MINUTES} minutes after it arrives.
      </p>
      <dl>
        {offers.map(({ path, title, content }) => (
          <div key={path} className={styles.feed}>
            <dt>{title}</dt>
            <dd>
              <p>{content}</p>
              <CopyLink
                url={`${location.origin}${API_BASE}/${path.replace('{uid}', program)}`}
                label={`Address: ${title}`}
                noun="address"
              />
            </dd>
          </div>
        ))}
      </dl>
      <Row as="p" gap={4} wrap className={styles.links}>
        {mayMakeKeys && <Link to="/system/api-keys">API keys</Link>}
        <a href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
          API documentation
        </a>
      </Row>
    </Stack>
  )
}
