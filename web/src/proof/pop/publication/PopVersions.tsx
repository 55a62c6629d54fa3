import { pops } from '@roadshow/contract/proof/pop'
import type { PopVersion } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { download } from '../../../api/download.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { List, Row, Soft, Stack } from '../../../ui/layout.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import { useVersions } from '../usePop.ts'
import shared from '../pop.module.css'
import styles from './publication.module.css'

/** The published versions with their files, newest first. */
export function PopVersions({ uid }: { uid: string }) {
  const found = useVersions(uid)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  if (found.data.length === 0) return <Soft as="p">Not published yet.</Soft>
  return (
    <>
      <Soft as="p">Times are in {localZone()}. A version never changes, even if data is corrected later.</Soft>
      <List as="ol" className={styles.versions}>
        {found.data.map((version) => (
          <li key={version.number}>
            <PopVersionCard uid={uid} version={version} />
          </li>
        ))}
      </List>
    </>
  )
}

interface VersionProps {
  uid: string
  version: PopVersion
}

/** One version with its hash and its files. */
export function PopVersionCard({ uid, version }: VersionProps) {
  const { number, publishedAt, publishedBy, note, changes, sha256, isShown } = version
  return (
    <Stack as="article" aria-label={`Version ${number}`} gap={2} className={styles.version}>
      <Row as="header" gap={3} lineGap={1} align="center" wrap>
        <h3>Version {number}</h3>
        {isShown && <StateTag tone="driving">Shown</StateTag>}
        <Soft className="figures">
          {formatDateTime(publishedAt, localZone())}
          {publishedBy && ` by ${publishedBy}`}
        </Soft>
      </Row>
      {note && <p>{note}</p>}
      {changes && <p className={shared.changes}>{changes}</p>}
      <Soft as="p" small className={styles.hash}>
        <span>SHA-256</span> <code>{sha256}</code>
      </Soft>
      <Row gap={3} lineGap={1} align="center" wrap>
        <FileButton uid={uid} version={version} format="json" />
        <FileButton uid={uid} version={version} format="pdf" />
      </Row>
    </Stack>
  )
}

function FileButton({ uid, version, format }: VersionProps & { format: 'json' | 'pdf' }) {
  const [isBusy, setIsBusy] = useState(false)
  const notice = useNotice()
  const words = { json: 'JSON', pdf: 'PDF' }[format]
  if (format === 'pdf' && version.pdf !== 'ready') {
    return (
      <Soft role="status">{version.pdf === 'waiting' ? 'Creating the PDF…' : 'The PDF could not be created.'}</Soft>
    )
  }
  const fetchIt = async () => {
    setIsBusy(true)
    const params = { uid, number: String(version.number), format }
    await download(pops.versionFile, { params }).catch((error: unknown) => notice(errorMessage(error), 'bad'))
    setIsBusy(false)
  }
  return (
    <Button
      size="small"
      loading={isBusy}
      onClick={() => void fetchIt()}
      aria-label={`${words} of version ${version.number}`}
    >
      {words}
    </Button>
  )
}
