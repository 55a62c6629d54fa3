import { impressions } from '@roadshow/contract/proof/impressions'
import type { ImpressionMethodSummary } from '@roadshow/contract/proof/impressions'
import { MODELED } from '@roadshow/contract/proof/pop-figure-words'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { MethodDrawer } from './MethodDrawer.tsx'
import { MethodFiles } from './MethodFiles.tsx'
import styles from './impressions.module.css'

/** The versions of the method for estimated impressions, for a tab of the settings. */
export function ImpressionsTab() {
  const [isOpen, setIsOpen] = useState(false)
  const mayAdd = useMay(impressions.addMethod)
  const found = useCall(impressions.methods)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={6} />
  const { isOn, versions, inputs } = found.data
  return (
    <Stack gap={3}>
      <p>
        Estimated impressions multiply the trucks’ tracks by traffic counts. {MODELED} They are {isOn ? 'on' : 'off'};
        “Estimated impressions” in the tab Settings turns them {isOn ? 'off' : 'on'}.
      </p>
      <Soft as="p">
        A version never changes. With a new one, shifts whose positions are kept are estimated again; older shifts and
        published pages keep their numbers and the version that gave them.
      </Soft>
      {mayAdd && (
        <div>
          <Button onClick={() => setIsOpen(true)}>New version</Button>
        </div>
      )}
      <List gap={2} className={styles.versions} aria-label="Versions of the method">
        {versions.map((version) => (
          <MethodVersion key={version.version} {...version} />
        ))}
      </List>
      {isOpen && versions[0] && <MethodDrawer newest={versions[0]} inputs={inputs} onClose={() => setIsOpen(false)} />}
    </Stack>
  )
}

function MethodVersion({ version, note, segments, createdAt, createdBy }: ImpressionMethodSummary) {
  const by = createdBy === null ? 'comes with the product' : `${createdBy}, ${formatMoment(createdAt, localZone())}`
  return (
    <li>
      <span>
        <b>Method {version}</b> <Soft>{by}</Soft>
      </span>
      <span>{note}</span>
      {segments > 0 && <span className="figures">{formatCount(segments)} counted roads</span>}
      <MethodFiles version={version} />
    </li>
  )
}
