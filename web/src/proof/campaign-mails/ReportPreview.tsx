import { campaignMails, programOccasions, reportOccasionLabel } from '@roadshow/contract/proof/campaign-mails'
import type { ProgramOccasion } from '@roadshow/contract/proof/campaign-mails'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import styles from './ReportMails.module.css'

/** The mail that would be sent now, with its files. */
export function ReportPreview({ program }: { program: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>Preview report</Button>
      <Drawer
        open={isOpen}
        onClose={() => setIsOpen(false)}
        destroyOnHidden
        size={LARGE_DRAWER_WIDTH}
        title="Preview report"
      >
        {isOpen && <Preview program={program} />}
      </Drawer>
    </div>
  )
}

function Preview({ program }: { program: string }) {
  const [occasion, setOccasion] = useState<ProgramOccasion>('weekly')
  const found = useCall(campaignMails.preview, { params: { uid: program }, query: { occasion } })
  return (
    <Stack gap={3} className={styles.mails}>
      <Select<ProgramOccasion>
        aria-label="Occasion"
        value={occasion}
        onChange={setOccasion}
        options={programOccasions.map((value) => ({ value, label: reportOccasionLabel[value] }))}
      />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={6} />}
      {found.data && (
        <>
          <p>
            <b>{found.data.subject}</b>
          </p>
          <p className={styles.acts}>
            {found.data.files.map(({ name, type, base64 }) => (
              <Button key={name} href={`data:${type};base64,${base64}`} download={name}>
                {name}
              </Button>
            ))}
          </p>
          {/* Mails hold no scripts, and none may run here. */}
          <iframe title="Email" sandbox="" srcDoc={found.data.html} className={styles.frame} />
        </>
      )}
    </Stack>
  )
}
