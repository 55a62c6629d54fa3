import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { campaignLinks } from '@roadshow/contract/proof/campaign-links'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useDetails } from '../../../api/useDetails.ts'
import { useMay } from '../../../api/user.ts'
import { ShownOnce } from '../../../ui/form/ShownOnce.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { LinkForm } from './LinkForm.tsx'
import { LinkList } from './LinkList.tsx'

interface LinksDrawerProps {
  programUid: string
  /** The name of the campaign, once it is known. */
  name: string | undefined
  onClose: () => void
}

type Step = { kind: 'list' } | { kind: 'new' } | { kind: 'made'; url: string }

/** The links to the public page of a campaign: those there are, a new one, and its address this once. */
export default function LinksDrawer({ programUid, name, onClose }: LinksDrawerProps) {
  const [step, go] = useState<Step>({ kind: 'list' })
  const found = useDetails(campaignLinks.list, programUid)
  const mayEdit = useMay(campaignLinks.create)
  const back = () => go({ kind: 'list' })
  const showMade = (url: string) => go({ kind: 'made', url })
  return (
    <Drawer open onClose={onClose} size={DRAWER_WIDTH} title={name ? `Links to ${name}` : 'Campaign links'}>
      {step.kind === 'list' && found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {step.kind === 'list' && found.isPending && <SkeletonLines rows={6} />}
      {step.kind === 'list' && found.data && (
        <>
          <p>
            A link shows this campaign to anyone who has it: figures, approved photos and delayed truck positions. It
            shows no drivers, no truck numbers and no depots.
          </p>
          {mayEdit && (
            <Button type="primary" onClick={() => go({ kind: 'new' })}>
              New link
            </Button>
          )}
          <LinkList links={found.data} />
        </>
      )}
      {step.kind === 'new' && <LinkForm programUid={programUid} onClose={back} onMade={showMade} />}
      {step.kind === 'made' && (
        <ShownOnce
          secret={step.url}
          label="Campaign link"
          noun="link"
          use="Anyone who has it can open the page until it expires or you revoke it."
          onDone={back}
          isLast
        >
          <p>
            <a href={step.url} target="_blank" rel="noreferrer">
              Open the page
            </a>
          </p>
        </ShownOnce>
      )}
    </Drawer>
  )
}
