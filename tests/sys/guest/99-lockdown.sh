# SPDX-License-Identifier: GPL-2.0-only
# A kernel that lets nobody look into it any more, not even root: the last part, for there is no way back. LOCKED is
# at-boot where it has been so from its first moment on (tests/vm/run).

locked() {
	mount -t securityfs securityfs /sys/kernel/security
	grep "[[]confidentiality]" /sys/kernel/security/lockdown || echo confidentiality >/sys/kernel/security/lockdown
	grep -q "[[]confidentiality]" /sys/kernel/security/lockdown || { echo "it isn't locked down"; return 1; }
	for ask in 'probe vfs_read+0' list; do
		s=0
		ktrace $ask >/tmp/out 2>/tmp/err || s=$?
		cat /tmp/err
		[ $s = 1 ] && grep -q "the kernel is locked down.*boot it without lockdown=confidentiality" /tmp/err || return 1
	done
}
lockdown=refused-lockdown${LOCKED:+-$LOCKED}
if wanted "$lockdown"; then
	if locked >/tmp/log 2>&1; then ok "$lockdown"; else not_ok "$lockdown" "$(cat /tmp/log)"; fi
fi
