#include "sw/poplar/card_errors.h"

#include <poplar/exceptions.hpp>

#include "inspect/options.h"
#include "sw/card/environment.h"
#include "sw/card/errors.h"

namespace tessera::runtime {

void rethrow_for_poplar() {
  try {
    throw;
  } catch (const card::Lost& error) {
    throw poplar::recoverable_runtime_error(poplar::RecoveryAction::IPU_RESET, error.what());
  } catch (const card::Displaced& error) {
    throw poplar::poplar_error(error.what());
  } catch (const card::BadVariable& error) {
    throw poplar::poplar_error(error.what());
  } catch (const card::Error& error) {
    throw poplar::system_runtime_error(error.what());
  } catch (const inspect::BadOption& error) {
    throw poplar::poplar_error(error.what());
  }
}

}  // namespace tessera::runtime
