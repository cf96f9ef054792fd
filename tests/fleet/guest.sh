# A host of the fleet: a network, sshd, and nothing else, until somebody says that it is done. It is a
# stock machine: without debug information. Its clock is set apart from the others'.
# Usage: guest.sh NAME SECONDS
hostname "$1"
date -s "@$(($(date +%s) + $2))" >/dev/null
ifconfig lo 127.0.0.1 up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
chmod -R go= /root
dropbear -F -E -s -r /etc/host_key 2>/tmp/sshd &
until [ -e /tmp/done ]; do sleep 1; done
