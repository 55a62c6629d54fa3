import { campaigns } from '@roadshow/contract/proof/campaigns'
import type { Campaign } from '@roadshow/contract/proof/campaigns'
import { campaignMails } from '@roadshow/contract/proof/campaign-mails'
import { pops } from '@roadshow/contract/proof/pop'
import { replays } from '@roadshow/contract/proof/replay'
import { Link } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useDownload } from '../../api/useDownload.ts'
import { useMay } from '../../api/user.ts'
import { publicPath } from '../pop/usePop.ts'
import styles from './campaigns.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const ReportsDrawer = lazyOverlay(
  () => import('../campaign-mails/ReportsDrawer.tsx'),
  ({ onClosed }) => onClosed(),
)

/** What a client takes along: the ad log, the proof of play once it is published, and reports by mail. */
export function CampaignFiles({ campaign: { uid, name, phase, popUrl, popVersion } }: { campaign: Campaign }) {
  const [isMailing, setIsMailing] = useState(false)
  const mayMail = useMay(campaignMails.save)
  const mayReplay = useMay(replays.get)
  const { busy, refused, fetch } = useDownload()
  const mayReadPop = useMay(pops.versionFile)
  if (phase === 'upcoming') return null
  return (
    <footer className={styles.files}>
      {refused && <Alert type="error" showIcon role="alert" title={refused} />}
      <Button loading={busy === 'ad-log'} onClick={() => void fetch('ad-log', campaigns.adLog, { params: { uid } })}>
        Download ad log (CSV)
      </Button>
      {popVersion !== null && mayReadPop && (
        <Button
          loading={busy === 'pop'}
          onClick={() =>
            void fetch('pop', pops.versionFile, { params: { uid, number: String(popVersion), format: 'pdf' } })
          }
        >
          Download POP (PDF)
        </Button>
      )}
      {popUrl !== null && (
        <Button href={publicPath({ popUrl })} target="_blank" rel="noreferrer">
          Open POP page
        </Button>
      )}
      {mayReplay && <Link to="/replay">Replay a truck’s day</Link>}
      {mayMail && <Button onClick={() => setIsMailing(true)}>Emailed reports</Button>}
      {isMailing && <ReportsDrawer program={{ uid, name }} onClosed={() => setIsMailing(false)} />}
    </footer>
  )
}
