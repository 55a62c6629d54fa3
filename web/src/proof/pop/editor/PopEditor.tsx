import { formatDays } from '@roadshow/contract/platform/dates'
import { popStateLabel, pops } from '@roadshow/contract/proof/pop'
import type { Pop, PopInput } from '@roadshow/contract/proof/pop'
import { Link } from '@tanstack/react-router'
import { Button, Tabs } from 'antd'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { HistoryTab } from '../../../ui/record/HistoryTab.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { useSearchParam } from '../../../ui/useSearchParam.ts'
import { useFocusReturn } from '../../../ui/record/useFocusReturn.ts'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { useMedia } from '../../../ui/useMedia.ts'
import type { FieldsOf } from '../../../ui/text/words.ts'
import { FigureSummary, LiveFigures } from '../LiveFigures.tsx'
import { MarketsTab } from './MarketsTab.tsx'
import { PhotosTab } from './PhotosTab.tsx'
import { PopStateTag } from '../popColumns.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PopPreview } from './PopPreview.tsx'
import { TextTab } from './TextTab.tsx'
import { editorTabLabel, usePopEditor, withoutEditorState } from './usePopEditor.ts'
import type { EditorTab } from './usePopEditor.ts'
import { usePop } from '../usePop.ts'
import { VersionsTab } from '../publication/VersionsTab.tsx'
import styles from './PopEditor.module.css'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'

const PublishDrawer = lazyOverlay(() => import('../publication/PublishDrawer.tsx'))

const historyFields: FieldsOf<PopInput> & Record<string, string | readonly [string, Record<string, string>]> = {
  headline: 'Headline',
  text: 'Text',
  coverPhotoUid: 'Cover photo',
  shownUntil: 'Shown until',
  // The history names the column, which holds the last public day.
  endsOn: 'Shown until',
  shownVersion: 'Shown version',
  passwordSetAt: 'Password set',
  state: ['State', popStateLabel],
  markets: 'Markets',
}

/** The editor of a program's POP, beside a preview of its page. */
export default function PopEditor({ uid }: { uid: string }) {
  const found = usePop(uid)
  const pop = found.data
  return (
    <Stack gap={4}>
      <p className={styles.back}>
        <Link to="." search={(old: UrlSearch) => withoutEditorState(old)}>
          All POPs
        </Link>
      </p>
      {found.isError && !pop && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!pop && !found.isError && <SkeletonLines rows={9} />}
      {pop && <EditorBody pop={pop} />}
    </Stack>
  )
}

function EditorBody({ pop }: { pop: Pop }) {
  const { tab, setTab } = usePopEditor()
  const [publishing, publish] = useSearchParam('publish')
  useFocusReturn(publishing !== undefined)
  const isBeside = useMedia('(min-width: 1100px)')
  const contents: Record<EditorTab, ReactNode> = {
    text: <TextTab pop={pop} />,
    markets: <MarketsTab pop={pop} />,
    photos: <PhotosTab pop={pop} />,
    figures: <LiveFigures program={pop.uid} />,
    versions: <VersionsTab pop={pop} />,
    history: <HistoryTab history={pops.history} uid={pop.uid} fields={historyFields} />,
    preview: <PopPreview uid={pop.uid} />,
  }
  const shown = (Object.keys(editorTabLabel) as EditorTab[]).filter((key) => key !== 'preview' || !isBeside)
  return (
    <>
      <EditorHead pop={pop} onPublish={() => publish('yes')} />
      <div className={styles.columns}>
        <Tabs
          className={`${styles.tabs} pop-tabs`}
          activeKey={shown.includes(tab) ? tab : 'photos'}
          onChange={setTab}
          items={shown.map((key) => ({ key, label: labelOf(key, pop), children: contents[key] }))}
        />
        {isBeside && <PopPreview uid={pop.uid} />}
      </div>
      {publishing && <PublishDrawer pop={pop} onClose={() => publish(undefined)} />}
    </>
  )
}

const labelOf = (key: EditorTab, { photosWaiting }: Pop) =>
  key === 'photos' && photosWaiting > 0
    ? `${editorTabLabel[key]} (${formatCount(photosWaiting)} waiting)`
    : editorTabLabel[key]

function EditorHead({ pop, onPublish }: { pop: Pop; onPublish: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The list that had the focus is gone.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Row as="header" gap={8} lineGap={3} align="center" wrap>
      <div className={styles.title}>
        <h2 ref={heading} tabIndex={-1}>
          {pop.name}
        </h2>
        <Soft as="p" className="figures">
          {pop.client.name} · {formatDays(pop.startsOn, pop.endsOn)}
        </Soft>
      </div>
      <FigureSummary pop={pop} more={[['Views', formatCount(pop.views)]]} />
      <Row gap={3} align="center">
        <PopStateTag state={pop.state} />
        {pop.shownVersion !== null && <span className="figures">version {pop.shownVersion} is public</span>}
        <Button type="primary" onClick={onPublish}>
          Publish
        </Button>
      </Row>
    </Row>
  )
}
