import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { PopStateTag } from '../popColumns.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { PublicLink } from './PublicLink.tsx'
import { useSavePop } from '../../photos/refreshPops.ts'
import { PopVersions } from './PopVersions.tsx'
import styles from '../pop.module.css'

const states: Record<Pop['state'], string> = {
  unpublished: 'Nobody sees it until it is published.',
  published: 'Everybody who has the link sees it.',
  withdrawn: 'It was published and taken away: its link answers as if there were nothing.',
  ended: 'Its last day is over: its link answers as if there were nothing.',
}

/** What the public sees, and what was published so far. */
export function VersionsTab({ pop }: { pop: Pop }) {
  return (
    <div className={styles.stack}>
      <div className={styles.shown}>
        <PopStateTag state={pop.state} />
        <span>{states[pop.state]}</span>
        <span className={`figures ${styles.soft ?? ''}`}>
          {formatCount(pop.views)} {pop.views === 1 ? 'view' : 'views'}
        </span>
      </div>
      {pop.state === 'published' && <PublicLink pop={pop} />}
      <Withdrawal pop={pop} />
      <PopVersions uid={pop.uid} />
    </div>
  )
}

/** Takes the public page away, or shows it again. */
function Withdrawal({ pop }: { pop: Pop }) {
  const save = useSavePop(pops.withdraw)
  const notice = useNotice()
  const [asking, setAsking] = useState(false)
  const isShown = pop.state === 'withdrawn'
  if (pop.state === 'unpublished' || (pop.state === 'ended' && pop.shownVersion === null)) return null
  const act = async () => {
    try {
      await save.mutateAsync({ body: { uid: pop.uid, version: pop.version, isShown } })
      notice(isShown ? 'The page is shown again.' : 'The page is withdrawn.')
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }
  const words = isShown ? 'Show again' : 'Withdraw'
  return (
    <div>
      <Button onClick={() => setAsking(true)} danger={!isShown}>
        {words}
      </Button>
      {asking && (
        <Confirm
          open
          question={isShown ? `Show ${pop.name} again?` : `Withdraw ${pop.name}?`}
          text={
            isShown
              ? 'Everybody who has the link sees the newest version again.'
              : 'Its link, its PDF and its pictures answer as if there were nothing. Its versions stay, and it can be shown again.'
          }
          act={words}
          busy={save.isPending}
          onAct={() => void act()}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  )
}
