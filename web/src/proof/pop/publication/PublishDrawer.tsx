import { formatDays } from '@roadshow/contract/platform/dates'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop, PopVersion } from '@roadshow/contract/proof/pop'
import type { PopDocument } from '@roadshow/contract/proof/pop-document'
import { formatHours, gapSentences, milesValue, playsValue } from '@roadshow/contract/proof/pop-figure-words'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Drawer, Input } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { List, Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { oneLine } from '../../../ui/rows/oneLine.ts'
import { FigureRow } from '../FigureRow.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { PublicLink } from './PublicLink.tsx'
import { usePreview, useVersions } from '../usePop.ts'
import { PopVersionCard } from './PopVersions.tsx'
import shared from '../pop.module.css'
import { PlaysLink } from '../figureLinks.tsx'
import styles from './publication.module.css'

interface PublishDrawerProps {
  pop: Pop
  onClose: () => void
}

/** Shows the content and changes of the next version, and publishes it. */
export default function PublishDrawer({ pop, onClose }: PublishDrawerProps) {
  const [number, setNumber] = useState<number>()
  return (
    <Drawer
      open
      focusable={{ focusTriggerAfterClose: false }}
      onClose={onClose}
      size={DRAWER_WIDTH}
      title={number === undefined ? `Publish ${pop.name}` : `${pop.name} published`}
    >
      {number === undefined ? (
        <Publishing pop={pop} onPublished={(version) => setNumber(version.number)} />
      ) : (
        <Published pop={pop} number={number} />
      )}
    </Drawer>
  )
}

interface PublishingProps {
  pop: Pop
  onPublished: (version: PopVersion) => void
}

function Publishing({ pop, onPublished }: PublishingProps) {
  const preview = usePreview(pop.uid)
  const publish = useSave(pops.publish)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const noteId = useId()
  if (preview.isError && !preview.data) {
    return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
  }
  if (!preview.data) return <SkeletonLines />
  const { document, changes, grading, photosWithoutMarket } = preview.data
  const act = async () => {
    setProblem(undefined)
    try {
      const { data } = await publish.mutateAsync({ body: { uid: pop.uid, version: pop.version, note: note.trim() } })
      onPublished(data)
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <Stack gap={4} className={shared.stack}>
      <p>
        Publishing freezes text, photos and figures as a new version with a hash. Later corrections and deletions do not
        change it.
      </p>
      <Frozen program={pop.uid} document={document} />
      <Missing pop={pop} grading={grading} photosWithoutMarket={photosWithoutMarket} />
      {pop.photosWaiting > 0 && (
        <Alert
          type="warning"
          title={`${countOf(pop.photosWaiting, 'photo')} waiting for approval will not be included.`}
        />
      )}
      {changes ? (
        <section>
          <h3>Changed since the last version</h3>
          <p className={shared.changes}>{changes}</p>
        </section>
      ) : (
        <p>This is the first version.</p>
      )}
      <div>
        <label htmlFor={noteId}>Note (optional)</label>
        <Input.TextArea
          id={noteId}
          maxLength={500}
          autoSize={{ minRows: 2 }}
          value={note}
          onChange={({ target }) => setNote(oneLine(target.value))}
        />
      </div>
      {problem !== undefined && <Alert type="error" role="alert" title={errorMessage(problem)} />}
      <Button type="primary" loading={publish.isPending} onClick={() => void act()}>
        Publish
      </Button>
    </Stack>
  )
}

type Preview = ReplyOf<typeof pops.preview>['data']

/** What a version would leave out, named before it is published. */
function Missing({
  pop,
  grading,
  photosWithoutMarket,
}: Pick<Preview, 'grading' | 'photosWithoutMarket'> & { pop: Pop }) {
  const { waiting, withoutTrack, run } = grading
  const progress = run
    ? ` Grading is running: ${formatCount(run.done)} of ${formatCount(run.total)} parts are done.`
    : ''
  const { count, first } = photosWithoutMarket
  return (
    <>
      {waiting > 0 && (
        <Alert
          type="info"
          title={`${countOf(waiting, 'play')} will be graded before publishing. This can take a moment.${progress}`}
        />
      )}
      {withoutTrack > 0 && (
        <Alert
          type="warning"
          title={`${countOf(withoutTrack, 'play')} ${withoutTrack === 1 ? 'has' : 'have'} no independent GPS data yet and will be published as unverified.`}
        />
      )}
      {count > 0 && (
        <Alert
          type="warning"
          title={`${countOf(count, 'approved photo')} without a market will not be included. Choose a market for:`}
          description={
            <List gap={1} className={styles.photos}>
              {first.map(({ uid, name, url }) => (
                <li key={uid}>
                  <Link to="/client-pop" search={{ open: pop.uid, photo: uid }}>
                    <img src={url} alt="" width={44} height={44} /> {name}
                  </Link>
                </li>
              ))}
              {count > first.length && <li>and {formatCount(count - first.length)} more</li>}
            </List>
          }
        />
      )}
    </>
  )
}

const Frozen = ({ program, document }: { program: string; document: PopDocument }) => (
  <>
    <FigureRow
      figures={[
        ['Miles', milesValue(document.figures)],
        ['Hours', formatHours(document.figures.seconds)],
        [
          'Plays',
          <PlaysLink key="plays" program={program}>
            {playsValue(document.figures)}
          </PlaysLink>,
        ],
        ['Photos', formatCount(document.photos)],
        ['Verified photos', formatCount(document.verifiedPhotos)],
      ]}
    />
    {gapSentences(document.figures).map((sentence) => (
      <Soft as="p" key={sentence}>
        {sentence}
      </Soft>
    ))}
    <List>
      {document.chapters.map(({ slug, name, startsOn, endsOn, photos }) => (
        <li key={slug}>
          <strong>{name}</strong>{' '}
          <Soft className="figures">
            {formatDays(startsOn, endsOn)}, {countOf(photos.length, 'photo')}
          </Soft>
        </li>
      ))}
      {document.chapters.length === 0 && <li>No markets are shown.</li>}
    </List>
  </>
)

function Published({ pop, number }: { pop: Pop; number: number }) {
  const versions = useVersions(pop.uid)
  const version = versions.data?.find((each) => each.number === number)
  return (
    <Stack gap={4} className={shared.stack} role="status">
      <PublicLink pop={pop} />
      {version ? <PopVersionCard uid={pop.uid} version={version} /> : <SkeletonLines />}
    </Stack>
  )
}
