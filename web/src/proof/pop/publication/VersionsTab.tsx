import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { PopStateTag } from '../popColumns.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PagePassword } from './PagePassword.tsx'
import { PublicLink } from './PublicLink.tsx'
import { PopVersions } from './PopVersions.tsx'
import styles from '../pop.module.css'

const states: Record<Pop['state'], string> = {
  unpublished: 'Not public until you publish it.',
  published: 'The link below leads to it.',
  withdrawn: 'Withdrawn: the public link says that the page is not available.',
  ended: 'Its last day has passed: the public link says that the page is not available.',
}

/** The public state of a POP, and its versions. */
export function VersionsTab({ pop }: { pop: Pop }) {
  return (
    <Stack gap={4} className={styles.stack}>
      <Row gap={3} lineGap={1} align="center" wrap>
        <PopStateTag state={pop.state} />
        <span>{states[pop.state]}</span>
        <Soft className="figures">
          {formatCount(pop.views)} {pop.views === 1 ? 'view' : 'views'}
        </Soft>
      </Row>
      {pop.state === 'published' && <PublicLink pop={pop} />}
      <PagePassword pop={pop} />
      <Withdrawal pop={pop} />
      <PopVersions uid={pop.uid} />
    </Stack>
  )
}

/** Withdraws the public page, or shows it again. */
function Withdrawal({ pop }: { pop: Pop }) {
  const save = useSave(pops.withdraw)
  const notice = useNotice()
  const [asking, setAsking] = useState(false)
  const isShown = pop.state === 'withdrawn'
  if (pop.state === 'unpublished' || (pop.state === 'ended' && pop.shownVersion === null)) return null
  const act = async () => {
    try {
      await save.mutateAsync({ body: { uid: pop.uid, version: pop.version, isShown } })
      notice(isShown ? 'Page published again.' : 'Page withdrawn.')
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
              ? 'Anyone with the link sees the newest version again.'
              : 'Its link, PDF and photos show “not found”. Its versions are kept, and you can show it again.'
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
