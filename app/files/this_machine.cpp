// Hashes the machine's own identity.
#include "app/files/this_machine.h"

#include "gpu/host/machine/cpu.h"

#include <QCryptographicHash>
#include <QString>
#include <QSysInfo>

namespace loadline::app {
namespace {

constexpr qsizetype digits = 8;

MachineIdentity ask() {
    MachineIdentity identity;
    identity.processor = gpu::thisCpu().name;
    QByteArray id = QSysInfo::machineUniqueId();
    if (id.isEmpty()) { // containers may have none
        id = QSysInfo::machineHostName().toUtf8() + QByteArray::fromStdString(identity.processor);
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayLiteral("loadline profiles of "));
    hash.addData(id);
    identity.machine = hash.result().toHex().left(digits).toStdString();
    return identity;
}

} // namespace

const MachineIdentity& thisMachine() {
    static const MachineIdentity identity = ask();
    return identity;
}

} // namespace loadline::app
