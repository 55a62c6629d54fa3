import { oldPops } from '@roadshow/contract/legacy'
import type { OldPop } from '@roadshow/contract/legacy'
import { formatDay, formatDays } from '@roadshow/contract/platform/dates'
import type { Pop } from '@roadshow/contract/proof/pop'
import { photoStatusLabel, popStateLabel } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import { ConfirmStopUploads, PhotoButton } from '../proof/photos/AddPhotos.tsx'
import { usePhotoActions } from '../proof/photos/usePhotoActions.tsx'
import { Picture } from '../proof/photos/Picture.tsx'
import { popFilters } from '../proof/pop/popColumns.tsx'
import { liveMiles, livePlays } from '../proof/pop/figureText.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PhotoUploadProgress } from '../proof/photos/PhotoUploadProgress.tsx'
import { usePhotoUploads } from '../proof/photos/usePhotoUploads.ts'
import { publicPath } from '../proof/pop/usePop.ts'
import { Row } from '../ui/layout.tsx'
import { ClassicList } from './table/ClassicList.tsx'
import type { ClassicColumn } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import { OldPopMarkets } from './OldPopMarkets.tsx'
import type { MarketRow } from './OldPopMarkets.tsx'
import { pickFields } from './table/saved.ts'
import styles from './oldPages.module.css'
import { lazyOverlay } from '../ui/lazyPart.tsx'

const PublishDrawer = lazyOverlay(() => import('../proof/pop/publication/PublishDrawer.tsx'))

const PER_PAGE = 25
const rowKey = ({ uid }: OldPop) => uid

/** A POP in the shape of the new screens. */
const asPop = ({ clientUid, clientName, photos: _photos, photoCount, ...pop }: OldPop): Pop => ({
  ...pop,
  client: { uid: clientUid, name: clientName },
  photos: photoCount,
})

/** The actions on a POP's photos and page. */
interface PopActions {
  onAdd: (pop: OldPop, files: File[]) => void
  onApprove: (pop: OldPop, photos: OldPop['photos']) => void
  onPublish: (pop: OldPop) => void
}

const popColumnsWith = (actions: PopActions | undefined): ClassicColumn<OldPop>[] => [
  { key: 'name', label: 'Program', width: 170, text: ({ name }) => name },
  { key: 'clientName', label: 'Client', width: 140, text: ({ clientName }) => clientName },
  {
    key: 'state',
    label: 'State',
    width: 138,
    text: ({ state, shownVersion }) =>
      shownVersion === null ? popStateLabel[state] : `${popStateLabel[state]}, version ${shownVersion}`,
    show: (pop) => <State pop={pop} onPublish={actions?.onPublish} />,
  },
  {
    key: 'photos',
    label: 'Photos',
    width: 332,
    text: ({ photoCount }) => formatCount(photoCount),
    show: (pop) => <Photos pop={pop} actions={actions} />,
  },
  { key: 'headline', label: 'Headline', width: 170, text: ({ headline }) => headline, edit: { kind: 'text' } },
  { key: 'text', label: 'Text', width: 260, text: ({ text }) => text, edit: { kind: 'lines' } },
  {
    key: 'shownUntil',
    label: 'Shown until',
    width: 100,
    text: ({ shownUntil }) => (shownUntil ? formatDay(shownUntil) : ''),
    edit: { kind: 'day' },
  },
  {
    key: 'dates',
    label: 'Runs',
    width: 204,
    text: ({ startsOn, endsOn }) => formatDays(startsOn, endsOn),
    show: dates,
  },
  { key: 'metres', label: 'Live miles', width: 76, align: 'right', text: liveMiles },
  { key: 'plays', label: 'Live plays', width: 76, align: 'right', text: livePlays },
  { key: 'views', label: 'Views', width: 56, align: 'right', text: ({ views }) => formatCount(views) },
]

function dates({ startsOn, endsOn }: OldPop) {
  return <span className="figures">{formatDays(startsOn, endsOn)}</span>
}

function State({ pop, onPublish }: { pop: OldPop; onPublish: ((pop: OldPop) => void) | undefined }) {
  return (
    <>
      {popStateLabel[pop.state]}
      {pop.shownVersion !== null && <span className="figures">, version {pop.shownVersion}</span>}
      <Row as="span" gap={2} lineGap={1} align="center" wrap>
        {pop.state === 'published' && (
          <a href={publicPath(pop)} target="_blank" rel="noreferrer" aria-label={`Public page of ${pop.name}`}>
            Public page
          </a>
        )}
        {onPublish && (
          <Button size="small" onClick={() => onPublish(pop)} aria-label={`Publish ${pop.name}`}>
            Publish
          </Button>
        )}
      </Row>
    </>
  )
}

const stateOf = ({ status, grade }: OldPop['photos'][number]) =>
  `${photoStatusLabel[status]}, ${popGradeLabel[grade]}`.toLowerCase()

function Photos({ pop, actions }: { pop: OldPop; actions: PopActions | undefined }) {
  const { photos, photoCount, name } = pop
  const waiting = photos.filter(({ status }) => status === 'waiting')
  return (
    <>
      {photos.length > 0 && (
        <ul className={styles.photos}>
          {photos.map((photo) => (
            <li key={photo.uid} data-status={photo.status}>
              <a
                href={photo.urls.large}
                target="_blank"
                rel="noreferrer"
                title={`${photo.caption || photo.name}: ${stateOf(photo)}`}
                aria-label={`${photo.caption || photo.name}, ${stateOf(photo)}`}
              >
                <Picture photo={photo} alt="" />
              </a>
            </li>
          ))}
        </ul>
      )}
      <Row as="span" gap={2} lineGap={1} align="center" wrap role="group" aria-label={`Photos of ${name}`}>
        <span className="figures">
          {photoCount > photos.length
            ? `${formatCount(photos.length)} of ${formatCount(photoCount)}`
            : formatCount(photoCount)}
          {waiting.length > 0 && `, ${formatCount(waiting.length)} waiting`}
        </span>
        {actions && waiting.length > 0 && (
          <Button size="small" onClick={() => actions.onApprove(pop, waiting)} aria-label={`Approve photos of ${name}`}>
            Approve {formatCount(waiting.length)}
          </Button>
        )}
        {actions && <PhotoButton words="Add photos" onChoose={(files) => actions.onAdd(pop, files)} />}
      </Row>
    </>
  )
}

type Send = (pop: OldPop) => Promise<{ data: OldPop }>

/**
 * A POP and its markets share one version, so that their saves run one after the other, each on top of the last.
 * Changes of other people are conflicts, as everywhere.
 */
function savesInTurn() {
  const steps = new Map<string, OldPop>()
  const newestOf = (pop: OldPop): OldPop => {
    const next = steps.get(`${pop.uid} ${pop.version}`)
    return next ? newestOf(next) : pop
  }
  let last: Promise<unknown> = Promise.resolve()
  const sendAfter = async (turn: Promise<unknown>, read: OldPop, send: Send) => {
    // A refusal is shown in its own line and does not stop the next save.
    await turn.catch(() => undefined)
    const before = newestOf(read)
    const { data } = await send(before)
    steps.set(`${before.uid} ${before.version}`, data)
  }
  return (read: OldPop, send: Send) => {
    const sent = sendAfter(last, read, send)
    last = sent
    return sent
  }
}

const marketsWith = (pop: OldPop, changed: string, changes: LineChanges) =>
  pop.markets.map(({ market, photos: _photos, ...own }) => ({
    marketUid: market.uid,
    ...own,
    ...(market.uid === changed && changes),
  }))

/** The calls that save a POP and its markets, one after the other. */
function usePopSaves() {
  const [saveNext] = useState(savesInTurn)
  const save = async (pop: OldPop | undefined, changes: LineChanges) =>
    pop &&
    saveNext(pop, (newest) =>
      call(oldPops.update, { body: { ...pickFields(oldPops.update.body, newest), ...changes } }),
    )
  const saveMarket = ({ pop, market }: MarketRow, changes: LineChanges) =>
    saveNext(pop, (newest) => {
      const { uid, version } = newest
      return call(oldPops.saveMarkets, { body: { uid, version, markets: marketsWith(newest, market.uid, changes) } })
    })
  return { save, saveMarket }
}

/** Programs with their photos, texts and markets, and the button that publishes. */
export default function OldPopPage() {
  const mayEdit = useMay(oldPops.update)
  const photoActions = usePhotoActions()
  const uploads = usePhotoUploads(oldPops.addPhotos)
  const [publishing, publish] = useState<OldPop>()
  const { save, saveMarket } = usePopSaves()
  const actions: PopActions = {
    onAdd: ({ uid }, files) => uploads.add(files, { programUid: uid }),
    onApprove: ({ markets }, photos) =>
      void photoActions.set(
        photos,
        'approved',
        markets.map(({ market }) => market),
      ),
    onPublish: publish,
  }
  return (
    <>
      <PhotoUploadProgress uploads={uploads} />
      <ConfirmStopUploads uploads={uploads} />
      {photoActions.marketQuestion}
      <ClassicList
        nouns={['POP', 'POPs']}
        list={oldPops.list}
        sorts={SORTS}
        filters={mayEdit ? popFilters : []}
        perPage={PER_PAGE}
        empty="No POPs yet. Every client program gets one automatically."
        label="POPs"
        columns={popColumnsWith(mayEdit ? actions : undefined)}
        rowKey={rowKey}
        nameOf={({ name }) => name}
        save={mayEdit ? save : undefined}
        renderBelow={(pop, reload) => (
          <OldPopMarkets pop={pop} save={mayEdit ? saveMarket : undefined} reload={reload} />
        )}
      >
        {({ rows, reload }) =>
          publishing && (
            <PublishDrawer
              pop={asPop(rows?.find(({ uid }) => uid === publishing.uid) ?? publishing)}
              onClose={() => {
                publish(undefined)
                void reload()
              }}
            />
          )
        }
      </ClassicList>
    </>
  )
}

const SORTS = [
  { key: 'name', label: 'Program' },
  { key: 'startsOn', label: 'Starts' },
  { key: 'endsOn', label: 'Ends' },
]
