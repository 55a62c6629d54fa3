import { pops } from '@roadshow/contract/proof/pop'
import type { PopVersion } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { download } from '../../../api/download.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { StateTag } from '../../../ui/StateTag.tsx'
import { localZone, timestamp } from '../../../ui/time.ts'
import { useVersions } from '../usePop.ts'
import shared from '../pop.module.css'
import styles from './PopVersions.module.css'

/** The published versions with their files, newest first. */
export function PopVersions({ uid }: { uid: string }) {
  const found = useVersions(uid)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  if (found.data.length === 0) return <p className={shared.soft}>Not published yet.</p>
  return (
    <>
      <p className={shared.soft}>
        Times are in {localZone()}. A version never changes, even if data is corrected later.
      </p>
      <ol className={styles.versions}>
        {found.data.map((version) => (
          <li key={version.number}>
            <PopVersionCard uid={uid} version={version} />
          </li>
        ))}
      </ol>
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
    <article aria-label={`Version ${number}`} className={styles.version}>
      <header>
        <h3>Version {number}</h3>
        {isShown && <StateTag tone="driving">Shown</StateTag>}
        <span className={`figures ${shared.soft ?? ''}`}>
          {timestamp(publishedAt)}
          {publishedBy && ` by ${publishedBy}`}
        </span>
      </header>
      {note && <p>{note}</p>}
      {changes && <p className={shared.changes}>{changes}</p>}
      <p className={styles.hash}>
        <span>SHA-256</span> <code>{sha256}</code>
      </p>
      <div className={styles.files}>
        <FileButton uid={uid} version={version} format="json" />
        <FileButton uid={uid} version={version} format="pdf" />
      </div>
    </article>
  )
}

function FileButton({ uid, version, format }: VersionProps & { format: 'json' | 'pdf' }) {
  const [isBusy, setIsBusy] = useState(false)
  const notice = useNotice()
  const words = { json: 'JSON', pdf: 'PDF' }[format]
  if (format === 'pdf' && version.pdf !== 'ready') {
    return (
      <span role="status" className={shared.soft}>
        {version.pdf === 'waiting' ? 'Creating the PDF…' : 'The PDF could not be created.'}
      </span>
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
